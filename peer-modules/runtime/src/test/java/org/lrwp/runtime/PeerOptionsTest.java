package org.lrwp.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import picocli.CommandLine;

import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

final class PeerOptionsTest {
    @TempDir private Path folder;

    private static PeerOptions options(String... arguments) {
        return CommandLine.populateCommand(new PeerOptions(), arguments);
    }

    private Path secretFile(String content, String mode) throws Exception {
        Path file = folder.resolve("secret");
        Files.writeString(file, content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
        return file;
    }

    @Test
    void everyOptionReachesThePeer() throws Exception {
        try (OneProxy one = new OneProxy();
                OneProxy two = new OneProxy()) {
            PeerOptions options =
                    options(
                            "--proxy",
                            one.address(),
                            "--proxy",
                            two.address(),
                            "--context",
                            "/a",
                            "--vhost",
                            "h.test",
                            "--concurrency",
                            "1",
                            "--drain-seconds",
                            "5");
            Map<String, String> environment = Map.of(PeerOptions.SECRET_VARIABLE, "geheim");
            String startup = "\u00ff3.0\u00ffa\u00ffh.test\u00ff";
            var builder = options.peer("/default", environment);
            try (var peer =
                            builder.handler(
                                            request -> {
                                                throw new IllegalStateException();
                                            })
                                    .connect();
                    Socket first = one.accept(startup, "OK\u00ff");
                    Socket second = two.accept(startup, "OK\u00ff")) {
                assertTrue(first.isConnected() && second.isConnected());
                assertTrue(peer.registeredConnections() <= 2);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--proxy, a:b:c",
        "--proxy, a:0",
        "--context, ''",
        "--concurrency, -1",
        "--drain-seconds, 0"
    })
    void badValueIsNamedWithItsOption(String option, String value) {
        BadOptionException e =
                assertThrows(
                        BadOptionException.class,
                        () -> options(option, value).peer("/x", Map.of()));

        assertTrue(e.toString().contains(": " + option + ": "), e::toString);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--identity=a|--identity needs --key-id",
                "--identity=a --key-id=b|--key-id needs --key-file",
                "--key-file=f|--key-file needs --identity",
                "--certificate=c|--certificate needs --certificate-key",
                "--certificate-key=k|--certificate-key needs --certificate",
                "--certificate=c --certificate-key=k|--certificate needs --ca-file",
                "--identity=a --key-id=b --key-file=/none|--identity: /none cannot be read",
                "--identity=a/b --key-id=b --key-file=KEY|--identity: ",
                "--ca-file=/none|--ca-file: ",
            })
    void whatTrustLacksIsNamed(String options, String part) throws Exception {
        String key = secretFile("0123456789abcdef".repeat(4), "rw-------").toString();
        String[] given = options.replace("KEY", key).split(" ", -1);
        BadOptionException e =
                assertThrows(BadOptionException.class, () -> options(given).peer("/x", Map.of()));
        assertTrue(e.toString().contains(part), e::toString);
    }

    @Test
    void aKeyIsReadOnlyFromAFileOfItsOwner() throws Exception {
        String key = secretFile("0123456789abcdef".repeat(4), "rw-r--r--").toString();
        PeerOptions given = options("--identity=a", "--key-id=b", "--key-file=" + key);
        BadOptionException e =
                assertThrows(BadOptionException.class, () -> given.peer("/x", Map.of()));
        assertTrue(e.toString().contains("set its mode to 600"), e::toString);
    }

    @Test
    void aPeerWithAKeySaysWhoItIsAndForgetsTheSecretOfTheEnvironment() throws Exception {
        String key = secretFile("0123456789abcdef".repeat(4), "rw-------").toString();
        try (OneProxy proxy = new OneProxy()) {
            PeerOptions given =
                    options(
                            "--proxy=" + proxy.address(),
                            "--identity=billing",
                            "--key-id=2026a",
                            "--key-file=" + key);
            var builder = given.peer("/a", Map.of(PeerOptions.SECRET_VARIABLE, "geheim"));
            String startup = "\u00ff3.1\u00ffa\u00ff\u00ffbilling\u00ff2026a\u00ff";
            try (var peer =
                            builder.handler(
                                            request -> {
                                                throw new IllegalStateException();
                                            })
                                    .connect();
                    Socket first = proxy.accept(startup, "OK\u00ff")) {
                assertTrue(first.isConnected());
                assertEquals(0, peer.registeredConnections());
            }
        }
    }

    @Test
    void secretComesFromItsFileBeforeTheEnvironment() throws Exception {
        Path file = secretFile("from file\r\n", "rw-------");
        Map<String, String> environment = Map.of(PeerOptions.SECRET_VARIABLE, "from environment");

        assertArrayEquals(bytes("from file"), SecretSource.read(file, environment));
        assertArrayEquals(bytes("from environment"), SecretSource.read(null, environment));
        assertNull(SecretSource.read(null, Map.of(PeerOptions.SECRET_VARIABLE, "")));
    }

    @Test
    void fileThatOthersMayReadIsRejectedWithoutItsContent() throws Exception {
        assertRejected(secretFile("geheim", "rw-r-----"), "600");
        assertRejected(secretFile("\n", "rw-------"), "empty");
        assertRejected(secretFile("geheim".repeat(200), "r--------"), "longer");
        assertRejected(folder.resolve("none"), "does not exist");
        assertRejected(folder, "");
    }

    private static void assertRejected(Path file, String part) {
        BadOptionException e =
                assertThrows(BadOptionException.class, () -> SecretSource.read(file, Map.of()));

        assertTrue(e.toString().contains(part), e::toString);
        assertFalse(e.toString().contains("geheim"));
        assertEquals(1, e.toString().lines().count());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
