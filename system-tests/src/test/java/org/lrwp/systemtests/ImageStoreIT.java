package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.systemtests.harness.Configuration;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.Project;
import org.lrwp.systemtests.harness.ProxyProcess;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Tools;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.Bytes;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** The image store in both of its places: inside the proxy, and dialled in. */
@Timeout(120)
class ImageStoreIT {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final int KILLS = Integer.getInteger("kill.rounds", 2);
    private static final byte[] PNG =
            Bytes.join(Bytes.of("\u0089PNG\r\n\u001a\n"), Bytes.random(5_000, 1));

    @TempDir private static Path folder;
    private static ProxyProcess proxy;
    private static Process store;

    @BeforeAll
    static void start() throws Exception {
        proxy =
                ProxyProcess.start(
                        "image-store", Configuration.install("image-store", "image-store"));
        store = dialIn();
    }

    @AfterAll
    static void stop() {
        store.destroyForcibly().onExit().join();
        proxy.close();
    }

    private static Path file() {
        return folder.resolve("dialled");
    }

    private static String jar() {
        return Project.root().resolve("peer-modules/cache/target/cache.jar").toString();
    }

    private static Process dialIn() throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder(
                        Project.java(
                                "-jar",
                                jar(),
                                "--proxy",
                                "127.0.0.1:" + proxy.lrwpPort(),
                                "--context",
                                "/dialled",
                                "--file",
                                file().toString(),
                                "--size",
                                "8MiB",
                                "--max-age",
                                "1h"));
        builder.environment().keySet().removeIf(variable -> variable.startsWith("LRWP_"));
        Process process =
                builder.redirectErrorStream(true)
                        .redirectOutput(Project.target().resolve("image-store.out").toFile())
                        .start();
        assertTrue(Wait.until(SOON, () -> serves("/dialled")), "the store does not dial in");
        return process;
    }

    private static boolean serves(String context) throws Exception {
        return proxy.status().context(context).map(it -> it.getBoolean("served")).orElse(false);
    }

    private static RawHttp client() throws IOException {
        return RawHttp.to(proxy.httpPort());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/local", "/dialled"})
    void whatIsPutIsServedAndCanBeDeleted(String context) throws Exception {
        try (RawHttp client = client()) {
            assertEquals(404, client.get(context + "/1").status());
            client.send("PUT", context + "/1", PNG, "Content-Type: image/png");
            assertEquals(201, client.answer().status());
            client.send("PUT", context + "/1", PNG);
            assertEquals(204, client.answer().status());

            HttpAnswer got = client.get(context + "/1");
            assertArrayEquals(PNG, got.body());
            assertEquals("image/png", got.value("Content-Type").orElse(""));
            assertEquals("max-age=3600", got.value("Cache-Control").orElse(""));
            String etag = got.value("ETag").orElse("");
            assertEquals(304, client.get(context + "/1", "If-None-Match: " + etag).status());
            client.request("HEAD", context + "/1");
            HttpAnswer head = client.answerToHead();
            assertEquals("" + PNG.length, head.value("Content-Length").orElse(""));
            client.request("DELETE", context + "/1");
            assertEquals(204, client.answer().status());
            assertEquals(404, client.get(context + "/1").status());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/local", "/dialled"})
    void whatMayNotBeIsRefusedAndTheConnectionGoesOn(String context) throws Exception {
        try (RawHttp client = client()) {
            client.send("PUT", context + "/2", PNG, "Content-Type: image/jpeg");
            assertEquals(415, client.answer().status());
            client.send("PUT", context + "/x", PNG);
            assertEquals(400, client.answer().status());
            client.send("PUT", context + "/2", PNG, "X-Forwarded-For: 127.0.0.1");
            assertEquals(403, client.answer().status());
            client.post(context + "/2", PNG);
            assertEquals(405, client.answer().status());
            client.send("PUT", context + "/2", new byte[0]);
            assertEquals(400, client.answer().status());
            assertEquals(404, client.get(context + "/2").status());
            client.send("PUT", context + "/2", new byte[(384 << 10) + 1]);
            assertEquals(413, client.answer().status());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/local", "/dialled"})
    void largeImagesComeBackWhole(String context) throws Exception {
        byte[] large = Bytes.random(384 << 10, 7);
        try (RawHttp client = client()) {
            // The local store's file may be that of an earlier run.
            client.request("DELETE", context + "/-3");
            client.answer();
            client.send("PUT", context + "/-3", large, "Content-Type: application/octet-stream");
            assertEquals(201, client.answer().status());
            assertArrayEquals(large, client.get(context + "/-3").body());
        }
    }

    @Test
    void aKilledStoreHasItsImagesAgainAndItsFileCanBeLookedAt() throws Exception {
        try (RawHttp client = client()) {
            client.send("PUT", "/dialled/77", PNG);
            assertEquals(201, client.answer().status());
            String seen =
                    Tools.run(
                            folder,
                            SOON,
                            "",
                            Project.java("-jar", jar(), "inspect", file().toString()));
            assertTrue(seen.contains("process " + store.pid()), seen);

            store.destroyForcibly().waitFor();
            assertTrue(Wait.until(SOON, () -> !serves("/dialled")));
            store = dialIn();

            assertArrayEquals(PNG, client.get("/dialled/77").body());
        }
    }

    /** Writes versions of images, one after the other, until it is told to stop. */
    private static final class Writer implements Runnable {
        private static final int IDS = 8;
        private final int first;
        private final CountDownLatch enough;
        private final AtomicIntegerArray confirmed = new AtomicIntegerArray(IDS);
        private volatile boolean over;

        Writer(int first, CountDownLatch enough) {
            this.first = first;
            this.enough = enough;
        }

        @Override
        public void run() {
            try (RawHttp client = client()) {
                for (int i = 0; !over; i = (i + 1) % IDS) {
                    int version = confirmed.get(i) + 1;
                    client.send("PUT", "/dialled/" + (first + i), version(first + i, version));
                    int status = client.answer().status();
                    if (status != 201 && status != 204) {
                        return;
                    }
                    confirmed.set(i, version);
                    enough.countDown();
                }
            } catch (IOException e) {
                // The proxy may end a connection whose request it gives up.
                over = true;
            }
        }
    }

    private static byte[] version(int id, int version) {
        long seed = ((long) id << 32) | version;
        int length = 3_000 + (int) ((seed * 0x9E3779B97F4A7C15L) >>> 50);
        return Bytes.join(Bytes.of("\u0089PNG\r\n\u001a\n"), Bytes.random(length, seed));
    }

    @Test
    void aStoreThatIsKilledInPutsHasNoWrongByteAfterwards() throws Exception {
        int lost = 0;
        int wrong = 0;
        for (int round = 1; round <= KILLS; round++) {
            CountDownLatch enough = new CountDownLatch(150);
            List<Writer> writers = new ArrayList<>();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                writers.add(new Writer(round * 1000 + i * Writer.IDS, enough));
                threads.add(Thread.ofPlatform().daemon().start(writers.get(i)));
            }
            assertTrue(enough.await(30, TimeUnit.SECONDS), "the store takes no images");
            store.destroyForcibly().waitFor();
            writers.forEach(writer -> writer.over = true);
            store = dialIn();
            for (Thread thread : threads) {
                thread.join();
            }
            for (Writer writer : writers) {
                for (int i = 0; i < Writer.IDS; i++) {
                    int version = writer.confirmed.get(i);
                    int id = writer.first + i;
                    HttpAnswer answer = serving(id);
                    boolean good =
                            Arrays.equals(version(id, version), answer.body())
                                    || Arrays.equals(version(id, version + 1), answer.body());
                    lost += version > 0 && answer.status() == 404 ? 1 : 0;
                    wrong += answer.status() == 200 && !good ? 1 : 0;
                }
            }
        }
        assertEquals(0, wrong);
        assertTrue(lost <= KILLS * 4 * Writer.IDS / 20, lost + " images lost");
    }

    private static HttpAnswer serving(int id) throws IOException {
        try (RawHttp client = client()) {
            return client.get("/dialled/" + id);
        }
    }
}
