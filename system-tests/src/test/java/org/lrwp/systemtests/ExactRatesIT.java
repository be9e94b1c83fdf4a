package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.systemtests.harness.Configuration;
import org.lrwp.systemtests.harness.ProxyProcess;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.ValkeyProcess;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.Bytes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * One limit for the modules of two proxies that are no cluster, kept by a Valkey server that is
 * killed, and that stands still.
 */
@Timeout(120)
class ExactRatesIT {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final int SIZE = 2_000_000;
    private static final long RATE = 1_000_000;
    private static final long BURST = RATE / 4;
    private static final String EXACT = "download-rates-exact";
    private static final String NOT_EXACT = "download-rates-not-exact";

    @TempDir static Path folder;

    private static final ExecutorService CLIENTS = Executors.newVirtualThreadPerTaskExecutor();
    private static ValkeyProcess valkey;
    private static final List<ProxyProcess> PROXIES = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        valkey = ValkeyProcess.start(folder);
        Path root = Files.createDirectories(folder.resolve("files"));
        Files.write(root.resolve("film"), Bytes.random(SIZE, 1));
        var keys = new StringBuilder("\nmodule.films.type = download\n");
        keys.append("module.films.context = /films\nmodule.films.root = ").append(root);
        keys.append("\nmodule.films.global-rate = 1MB\n");
        valkey.settings().forEach(line -> keys.append("module.films.").append(line).append('\n'));
        for (String name : List.of("exact-rates-a", "exact-rates-b")) {
            Path configuration = Configuration.install("scale", name);
            Files.writeString(configuration, keys, StandardOpenOption.APPEND);
            PROXIES.add(ProxyProcess.start(name, configuration));
        }
        requireTold(1, EXACT);
    }

    @AfterAll
    static void stop() {
        CLIENTS.shutdownNow();
        PROXIES.forEach(ProxyProcess::close);
        if (valkey != null) {
            valkey.close();
        }
    }

    /** Each has said something so many times. */
    private static void requireTold(int times, String words) throws Exception {
        for (ProxyProcess proxy : PROXIES) {
            Wait.require(
                    words + " " + times + " times",
                    SOON,
                    () -> count(proxy.output(), words) >= times);
        }
    }

    private static int count(String output, String words) {
        return (int) output.lines().filter(line -> line.contains(words)).count();
    }

    /** One from each; when both are whole. */
    private static List<Future<Long>> downloads() {
        return PROXIES.stream().map(proxy -> CLIENTS.submit(() -> download(proxy))).toList();
    }

    private static long download(ProxyProcess proxy) throws IOException {
        try (RawHttp client = RawHttp.to(proxy.httpPort())) {
            assertEquals(SIZE, client.get("/films/film").body().length);
            return System.nanoTime();
        }
    }

    private static long lastOf(List<Future<Long>> downloads) throws Exception {
        long last = downloads.getFirst().get();
        for (Future<Long> one : downloads) {
            last = Math.max(last, one.get());
        }
        return last;
    }

    @Test
    void allProcessesTogetherKeepALimitToTheByte() throws Exception {
        long begin = System.nanoTime();

        long taken = lastOf(downloads()) - begin;

        // What a full bucket holds comes at once, the rest at the rate.
        long least = Duration.ofSeconds(1).toNanos() / RATE * (2L * SIZE - BURST);
        assertTrue(taken >= least, taken + " of at least " + least + " ns");
    }

    @Test
    void whileTheServerIsAwayEachKeepsItsOwnLimitAndNoDownloadStops() throws Exception {
        List<Future<Long>> beside = downloads();
        valkey.kill();
        requireTold(1, NOT_EXACT);
        lastOf(beside);
        valkey.start();
        requireTold(2, EXACT);

        beside = downloads();
        valkey.freeze();
        requireTold(2, NOT_EXACT);
        lastOf(beside);
        valkey.goOn();
        requireTold(3, EXACT);
    }
}
