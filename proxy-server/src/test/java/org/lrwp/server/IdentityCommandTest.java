package org.lrwp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

/** The command {@code identity create}. */
class IdentityCommandTest {
    @TempDir Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int create(String name, String... more) {
        var arguments =
                Stream.concat(
                        Stream.of("identity", "create", name, "--contexts", "/osp, /tep/**"),
                        Stream.of(more));
        var given = Stream.concat(arguments, Stream.of("--peers-file", file().toString()));
        return ProxyServer.run(print(out), print(err), given.toArray(String[]::new));
    }

    private Path file() {
        return folder.resolve("peers");
    }

    private static PrintStream print(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    private static String told(ByteArrayOutputStream by) {
        return by.toString(StandardCharsets.UTF_8);
    }

    private List<Path> keys() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(one -> one.toString().endsWith(".key")).sorted().toList();
        }
    }

    @Test
    void itMakesAKeyTheLinesAndSaysWhatThePeerNeeds() throws IOException {
        assertEquals(0, create("billing", "--hosts", "osp.example.org"), told(err));

        Path key = keys().getFirst();
        assertTrue(Files.readString(key).matches("[0-9a-f]{64}\n"));
        String lines = Files.readString(file());
        assertTrue(lines.contains("peer.billing.contexts = /osp, /tep/**\n"), lines);
        assertTrue(lines.contains("peer.billing.hosts = osp.example.org\n"), lines);
        assertTrue(lines.contains(" = " + key + "\n"), lines);
        for (Path written : List.of(key, file())) {
            assertEquals(
                    "rw-------",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(written)));
        }
        assertTrue(told(out).contains("PeerBuilder.identity(\"billing\", "), told(out));
        assertFalse(told(out).contains(Files.readString(key).strip()), "the key is printed");
    }

    @Test
    void anIdentityThatIsThereIsNotChanged() throws IOException {
        create("billing");
        String before = Files.readString(file());

        assertEquals(2, create("billing"));
        assertEquals("lrwp: there is an identity billing in " + file(), told(err).strip());
        assertEquals(before, Files.readString(file()));

        assertEquals(0, create("bill"));
        assertEquals(2, keys().size());
    }

    @Test
    void aFileThatEndsAmidALineIsEndedFirst() throws IOException {
        Files.writeString(file(), "# mine");
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-------"));
        assertEquals(0, create("billing"), told(err));
        assertTrue(Files.readString(file()).startsWith("# mine\npeer.billing."));
    }

    @Test
    void wrongUseIsASentenceAndMakesNothing() throws IOException {
        assertEquals(2, create("no.dots"));
        assertTrue(told(err).contains("the name \"no.dots\" is not"), told(err));
        assertEquals(2, ProxyServer.run(print(out), print(err), "identity"));
        assertTrue(told(err).contains("identity create NAME"), told(err));
        assertEquals(List.of(), keys());
    }
}
