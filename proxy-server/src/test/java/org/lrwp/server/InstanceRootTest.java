package org.lrwp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

    private List<Path> children() throws IOException {
        try (Stream<Path> children = Files.list(parent)) {
            return children.toList();
        }
    }
}
