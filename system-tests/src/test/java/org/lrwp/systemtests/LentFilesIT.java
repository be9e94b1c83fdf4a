package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.systemtests.harness.Configuration;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.ProxyProcess;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.Bytes;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Downloads without a limit, whose bytes the system sends, and clients that misbehave. */
@Timeout(240)
class LentFilesIT {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final int SIZE = 30_000_000;
    private static final long HUGE = 5_000_000_000L;

    @TempDir static Path folder;
    private static final byte[] LARGE = Bytes.random(SIZE, 11);
    private static Path root = Path.of("");
    private static ProxyProcess proxy;

    @BeforeAll
    static void start() throws Exception {
        root = Files.createDirectory(folder.resolve("root"));
        Files.write(root.resolve("large"), LARGE);
        Files.write(root.resolve("small"), Arrays.copyOf(LARGE, 4096));
        try (RandomAccessFile huge = new RandomAccessFile(root.resolve("huge").toFile(), "rw")) {
            huge.seek(HUGE - 3);
            huge.writeBytes("end");
        }
        proxy = start("lent-files");
    }

    private static ProxyProcess start(String name) throws Exception {
        Path configuration =
                Configuration.write(
                        folder.resolve(name + ".properties"),
                        """
                        agent.transport = %s
                        front = %s
                        answer.stall-timeout = 4s
                        drain-time = 1s
                        module.files.type = download
                        module.files.context = /files
                        module.files.root = %s
                        """
                                .formatted(
                                        System.getProperty("transport", "auto"),
                                        System.getProperty("front", "edge"),
                                        root));
        return ProxyProcess.start(name, configuration, "--http-threads", "4");
    }

    @AfterAll
    static void stop() {
        proxy.close();
    }

    private static long figure(String name) throws IOException {
        return proxy.status()
                .page()
                .getJsonArray("modules")
                .getJsonObject(0)
                .getJsonObject("figures")
                .getJsonNumber(name)
                .longValue();
    }

    private static void requireNothingLeft() throws Exception {
        Wait.require("no request is left", SOON, () -> proxy.status().busy() == 0);
        Wait.require("no file is left open", SOON, () -> figure("openFiles") == 0);
    }

    private static RawHttp asking(RawHttp client, String name) throws IOException {
        client.request("GET", "/files/" + name);
        assertEquals("HTTP/1.1 200 OK", client.line());
        while (!client.line().isEmpty()) {
            // The head.
        }
        return client;
    }

    @Test
    void filesAndPartsArriveWholeOnOneConnection() throws Exception {
        long before = figure("kernelBytes");
        try (RawHttp client = RawHttp.to(proxy.httpPort())) {
            for (int i = 0; i < 3; i++) {
                HttpAnswer whole = client.get("/files/large");
                assertEquals("" + SIZE, whole.value("Content-Length").orElse(""));
                assertArrayEquals(LARGE, whole.body());
                assertArrayEquals(Arrays.copyOf(LARGE, 4096), client.get("/files/small").body());
                HttpAnswer part = client.get("/files/large", "Range: bytes=1000000-" + (SIZE - 2));
                assertEquals(206, part.status());
                assertArrayEquals(Arrays.copyOfRange(LARGE, 1_000_000, SIZE - 1), part.body());
            }
            byte[] last = client.get("/files/huge", "Range: bytes=-1000000").body();
            assertEquals("end", new String(last, 999_997, 3, StandardCharsets.US_ASCII));
        }
        long sent = 3L * (2 * SIZE - 1_000_001) + 1_000_000;
        boolean own = System.getProperty("transport", "auto").equals("own");
        assertEquals(own ? 0 : sent, figure("kernelBytes") - before);
        requireNothingLeft();
    }

    @Test
    void clientsThatStopReadingAreCutAndHoldNobodyUp() throws Exception {
        List<RawHttp> stalled = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            stalled.add(asking(RawHttp.slowReader(proxy.httpPort()), "large"));
        }
        try (RawHttp other = RawHttp.to(proxy.httpPort())) {
            assertArrayEquals(LARGE, other.get("/files/large").body());
        }
        requireNothingLeft();
        for (RawHttp client : stalled) {
            assertThrows(IOException.class, () -> client.wire().read(SIZE));
            client.close();
        }
    }

    @Test
    void clientThatReadsSlowlyGetsItAll() throws Exception {
        try (RawHttp client = asking(RawHttp.slowReader(proxy.httpPort()), "large")) {
            byte[] got = new byte[SIZE];
            int count = 0;
            long begin = System.nanoTime();
            while (count < SIZE) {
                byte[] some = client.wire().readSome(1 << 20);
                System.arraycopy(some, 0, got, count, some.length);
                count += some.length;
                // The system shows the proxy what has been read only when a third of its buffer,
                // of up to 4 MB, is free again: at this rate twice within the stall time.
                long due = begin + TimeUnit.MICROSECONDS.toNanos(count);
                long now = System.nanoTime();
                if (now < due && now - begin < Duration.ofSeconds(6).toNanos()) {
                    Wait.pass(Duration.ofNanos(due - now));
                }
            }
            assertArrayEquals(LARGE, got);
        }
        requireNothingLeft();
    }

    @Test
    void clientsThatVanishLeaveNothingBehind() throws Exception {
        for (int i = 0; i < 10; i++) {
            RawHttp client = asking(RawHttp.slowReader(proxy.httpPort()), "large");
            if (i % 2 == 0) {
                client.wire().reset();
            } else {
                client.close();
            }
        }
        requireNothingLeft();
    }

    @Test
    void fileThatIsCutCutsTheConnection() throws Exception {
        Files.write(root.resolve("changing"), LARGE);
        long failed = figure("failed");
        try (RawHttp client = asking(RawHttp.slowReader(proxy.httpPort()), "changing")) {
            client.wire().read(1000);
            try (RandomAccessFile file =
                    new RandomAccessFile(root.resolve("changing").toFile(), "rw")) {
                file.setLength(1000);
            }
            assertThrows(IOException.class, () -> client.wire().read(SIZE));
        }
        requireNothingLeft();
        assertEquals(failed + 1, figure("failed"));
    }

    @Test
    void proxyThatStopsCutsWhatIsUnderWay() throws Exception {
        try (ProxyProcess other = start("lent-files-stop");
                RawHttp client = asking(RawHttp.slowReader(other.httpPort()), "large")) {
            other.askToStop();
            other.exit(SOON);
            assertThrows(IOException.class, () -> client.wire().read(SIZE));
        }
    }
}
