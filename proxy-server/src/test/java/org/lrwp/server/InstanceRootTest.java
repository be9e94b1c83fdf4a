package org.lrwp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

final class InstanceRootTest {
    @TempDir private Path parent = Path.of("unset");

    @Test
    void closingRemovesTheFolderWithAllInIt() throws IOException {
        InstanceRoot root = InstanceRoot.under(parent);
        Files.createDirectories(root.folder().resolve("applications/war"));
        Files.writeString(root.folder().resolve("applications/war/file"), "x");

        root.close();
        root.close();

        assertEquals(List.of(), children());
    }

    @Test
    void folderOfAKilledServerIsSweptAtTheNextStart() throws IOException {
        Path abandoned = Files.createDirectories(parent.resolve("lrwp-proxy-1"));
        Files.createFile(abandoned.resolve("lock"));
        Files.createDirectories(abandoned.resolve("generated"));

        try (InstanceRoot next = InstanceRoot.under(parent)) {
            assertFalse(Files.exists(abandoned));
            assertTrue(Files.exists(next.folder()));
        }
    }

    @Test
    void folderOfALivingServerAndStrangersStay() throws IOException {
        Path stranger = Files.createDirectories(parent.resolve("lrwp-proxy-notes"));
        try (InstanceRoot living = InstanceRoot.under(parent);
                InstanceRoot next = InstanceRoot.under(parent)) {
            assertTrue(Files.exists(living.folder()));
            assertTrue(Files.exists(next.folder()));
            assertTrue(Files.exists(stranger));
        }
    }

    @Test
    void serversThatStartTogetherSweepAndAllHaveAFolder() throws Exception {
        for (int i = 0; i < 100; i++) {
            Path abandoned = Files.createDirectories(parent.resolve("lrwp-proxy-" + i));
            Files.createFile(abandoned.resolve("lock"));
            Files.createDirectories(abandoned.resolve("generated/jsp"));
        }
        var starts =
                Collections.nCopies(8, (Callable<InstanceRoot>) () -> InstanceRoot.under(parent));
        try (ExecutorService threads = Executors.newFixedThreadPool(starts.size())) {
            for (Future<InstanceRoot> start : threads.invokeAll(starts)) {
                assertTrue(Files.exists(start.get().folder().resolve("lock")));
            }
        }
        assertEquals(starts.size(), children().size());
    }

    private List<Path> children() throws IOException {
        try (Stream<Path> children = Files.list(parent)) {
            return children.toList();
        }
    }
}
