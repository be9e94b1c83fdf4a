package org.lrwp.osp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.osp.message.Element;
import org.lrwp.osp.message.MessageReader;
import org.lrwp.osp.testkit.Tokens;
import org.lrwp.osp.testkit.Vectors;
import org.lrwp.osp.token.IdentityFiles;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** The program as a process of its own, with a proxy played by the test. */
@Timeout(120)
final class OspPeerProcessTest {
    private static final int PATIENCE_MILLIS = 30_000;
    private static final AtomicInteger ASKED = new AtomicInteger();

    @TempDir Path folder = Path.of("");

    @Test
    void theProgramRegistersAnswersAndReportsWhenItIsEnded() throws Exception {
        Path data = folder.resolve("data");
        Path keys = data.resolve("keys");
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            listener.setSoTimeout(PATIENCE_MILLIS);
            Process process = start(listener.getLocalPort(), data);
            try (Socket socket = acceptLrwp1(listener);
                    BufferedReader log = process.inputReader()) {
                write(socket, "OK");
                String body = Vectors.body("deb413-call/001-AuthorizationRequest");
                write(socket, request(body));

                Element answer = answer(read(socket, Integer.parseInt(read(socket, 9))));
                List<String> lines = linesUntil("calls cpm=", log);
                // The handle leaves the streams of the process open.
                process.toHandle().destroy();
                lines.addAll(log.lines().toList());

                assertEquals("200", OspServerFixture.code(answer));
                String token =
                        answer.children("Destination").getFirst().childText("Token").orElse("");
                assertTrue(
                        Tokens.isSignedBy(
                                IdentityFiles.read(
                                        keys.resolve("tokenkey.pem"),
                                        keys.resolve("tokencert.pem")),
                                token));
                assertTrue(process.waitFor(30, TimeUnit.SECONDS));
                assertContains(lines, "keys-generated key=");
                assertContains(lines, "registered proxy=127.0.0.1:");
                assertContains(lines, "calls cpm=0 authorisations=1 ");
                assertTrue(
                        lines.getLast()
                                .contains(
                                        "calls-total calls=0 authorisations=1 source-usages=0"
                                                + " destination-usages=0 refused=0 seconds="),
                        lines::toString);
            } finally {
                process.destroyForcibly();
            }
        }
        assertTrue(Files.exists(keys.resolve("tokenkey.pem")));
        requireOwnersOnly(data);
    }

    /** Keys, numbers and who called whom: also the database, with what it keeps beside itself. */
    private static void requireOwnersOnly(Path data) throws Exception {
        try (Stream<Path> all = Files.walk(data)) {
            for (Path each : all.toList()) {
                assertEquals(
                        Files.isDirectory(each) ? "rwx------" : "rw-------",
                        PosixFilePermissions.toString(Files.getPosixFilePermissions(each)),
                        each::toString);
            }
        }
        for (String name : List.of("osp.db", "nexus.log", "admin.port", "lock", "taken")) {
            assertTrue(Files.exists(data.resolve(name)), name);
        }
    }

    @Test
    void valuesChangeWhileTheProgramRunsByItsPortAndItsFile() throws Exception {
        Path data = folder.resolve("data");
        Path config = Files.writeString(folder.resolve("osp.conf"), "token.call-seconds = 60\n");
        Path token = Files.writeString(folder.resolve("token"), "secret\n");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            listener.setSoTimeout(PATIENCE_MILLIS);
            Process process =
                    start(
                            listener.getLocalPort(),
                            data,
                            "--config",
                            config.toString(),
                            "--admin-token-file",
                            token.toString());
            try (Socket socket = acceptLrwp1(listener);
                    BufferedReader log = process.inputReader()) {
                write(socket, "OK");
                linesUntil("registered proxy=", log);
                assertEquals("60", callSeconds(socket));

                assertEquals(200, put(data, "token.call-seconds", "77"));
                assertEquals("77", callSeconds(socket));
                assertEquals(400, put(data, "token.kind", "ascii-signed"));

                Files.writeString(config, "token.call-seconds = 1234\n");
                linesUntil("configuration-read file=", log);
                assertEquals("1234", callSeconds(socket));
            } finally {
                process.destroyForcibly();
            }
        }
    }

    private static int put(Path data, String key, String value) throws Exception {
        String port = Files.readString(data.resolve("admin.port"));
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request =
                    HttpRequest.newBuilder(
                                    URI.create(
                                            "http://127.0.0.1:"
                                                    + port
                                                    + "/-/api/v1/configuration/"
                                                    + key))
                            .header("Content-Type", "application/json")
                            .header("Authorization", "Bearer secret")
                            .PUT(
                                    HttpRequest.BodyPublishers.ofString(
                                            "{\"value\":\"" + value + "\"}"))
                            .build();
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        }
    }

    /** How long a call may last that is authorised now. */
    private static String callSeconds(Socket socket) throws Exception {
        String another = "random=\"" + ASKED.incrementAndGet() + "\"";
        String body = Vectors.body("deb413-call/001-AuthorizationRequest");
        write(socket, request(body.replaceFirst("random=\"[0-9]*\"", another)));
        return answer(read(socket, Integer.parseInt(read(socket, 9))))
                .children("Destination")
                .getFirst()
                .children("UsageDetail")
                .getFirst()
                .childText("Amount")
                .orElse("");
    }

    private static Process start(int port, Path data, String... options) throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                OspPeer.class.getName(),
                                "--proxy",
                                "127.0.0.1:" + port,
                                "--concurrency",
                                "1",
                                "--report-interval",
                                "PT1S",
                                "--data",
                                data.toString()));
        command.addAll(List.of(options));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    /** A proxy that speaks LRWP 1 only. */
    private static Socket acceptLrwp1(ServerSocket listener) throws IOException {
        for (String version : new String[] {"3.0", "2.0"}) {
            try (Socket newer = accept(listener)) {
                assertEquals("\u00ff" + version + "\u00ffosp\u00ff\u00ff", read(newer, 10));
                write(newer, "ERROR: Unknown LRWP version");
            }
        }
        Socket socket = accept(listener);
        assertEquals("osp\u00ff\u00ff", read(socket, 5));
        return socket;
    }

    private static Socket accept(ServerSocket listener) throws IOException {
        Socket socket = listener.accept();
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    private static String request(String body) {
        String environment =
                "REMOTE_ADDR=127.0.0.1\0REQUEST_METHOD=POST\0CONTENT_TYPE=text/plain\0CONTENT_LENGTH=%d\0\0"
                        .formatted(body.length());
        return "%09d%s%09d%s".formatted(environment.length(), environment, body.length(), body);
    }

    private static Element answer(String response) throws Exception {
        int head = response.indexOf("\r\n\r\n");
        assertTrue(head > 0 && response.startsWith("Content-"), response);
        return new MessageReader()
                .read(response.substring(head + 4).getBytes(StandardCharsets.ISO_8859_1))
                .components()
                .getFirst();
    }

    private static String read(Socket socket, int count) throws IOException {
        return new String(socket.getInputStream().readNBytes(count), StandardCharsets.ISO_8859_1);
    }

    private static void write(Socket socket, String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static List<String> linesUntil(String part, BufferedReader log) throws IOException {
        List<String> lines = new ArrayList<>();
        String line = log.readLine();
        while (line != null && !line.contains(part)) {
            lines.add(line);
            line = log.readLine();
        }
        lines.add(String.valueOf(line));
        return lines;
    }

    private static void assertContains(List<String> lines, String part) {
        assertTrue(lines.stream().anyMatch(line -> line.contains(part)), lines::toString);
    }
}
