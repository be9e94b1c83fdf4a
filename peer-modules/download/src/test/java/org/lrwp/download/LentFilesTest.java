package org.lrwp.download;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.testkit.Figures.figure;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.download.testkit.Settings;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.configuration.Origin;
import org.lrwp.runtime.module.ModuleSetup;
import org.lrwp.runtime.module.PeerModule;
import org.lrwp.sdk.FileRegion;
import org.lrwp.sdk.PeerExchange;
import org.lrwp.testkit.Head;
import org.lrwp.testkit.RecordedExchange;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Files whose parts the proxy has the system send. */
@Timeout(60)
class LentFilesTest {
    private static final long FAR = 5L << 30;

    @TempDir Path root;
    private final List<PeerModule> open = new ArrayList<>();
    private final byte[] large = new byte[5_000_000];
    private final List<Configuration> configurations = new ArrayList<>();

    @BeforeEach
    void makeFiles() throws IOException {
        new Random(7).nextBytes(large);
        Files.write(root.resolve("large"), large);
        Files.write(root.resolve("small"), Arrays.copyOf(large, 10_000));
        try (RandomAccessFile far = new RandomAccessFile(root.resolve("far").toFile(), "rw")) {
            far.setLength(FAR);
            far.seek(FAR - 3);
            far.writeBytes("end");
        }
    }

    @AfterEach
    void close() {
        open.forEach(PeerModule::close);
    }

    private PeerModule module(String... settings) throws BadConfigurationException {
        List<String> all = new ArrayList<>(List.of(settings));
        all.add("root=" + root);
        Configuration configuration = Settings.of(all.toArray(new String[0]));
        configurations.add(configuration);
        PeerModule module =
                new DownloadProvider()
                        .open(new ModuleSetup("files", List.of("/files"), configuration));
        open.add(module);
        return module;
    }

    private static RecordedExchange taker(Head head) {
        RecordedExchange exchange = new RecordedExchange(head);
        exchange.takeFiles();
        return exchange;
    }

    private static RecordedExchange done(PeerModule module, Head head) throws Exception {
        RecordedExchange exchange = taker(head);
        module.handler().handle(exchange);
        assertEquals("complete", exchange.awaitEnd());
        return exchange;
    }

    /** The large file on its way to a client that has been given one part and takes none. */
    private static RecordedExchange stalled(PeerModule module) throws Exception {
        RecordedExchange exchange = taker(Head.get("/large"));
        exchange.stall();
        module.handler().handle(exchange);
        exchange.await(one -> one.parts() == 1);
        return exchange;
    }

    @Test
    void whatHasNoLimitIsLentAndItsFileIsClosedOnceItIsSent() throws Exception {
        PeerModule module = module("cache-entry=8MiB");
        for (int i = 0; i < 3; i++) {
            RecordedExchange exchange = done(module, Head.get("/large"));
            assertEquals(200, exchange.status());
            assertArrayEquals(large, exchange.bytes());
            assertTrue(exchange.parts() > 1, exchange.parts() + " parts");
        }
        assertEquals(0, figure(module, "openFiles"));
        assertEquals(0, figure(module, "downloads"));
        assertEquals(3L * large.length, figure(module, "bytes"));
        assertEquals(3L * large.length, figure(module, "kernelBytes"));
    }

    @Test
    void smallFilesAndSeveralRangesAndLimitedOnesAreBytes() throws Exception {
        PeerModule module = module("class.slow.paths=/far", "class.slow.request-rate=100MB");
        assertEquals(0, done(module, Head.get("/small")).parts());
        Head ranges = Head.get("/large").with("Range", "bytes=0-99999,200000-299999");
        assertEquals(0, done(module, ranges).parts());
        Head slow = Head.get("/far").with("Range", "bytes=0-99999");
        assertEquals(0, done(module, slow).parts());
        assertEquals(0, done(module, Head.of("HEAD", "/large")).parts());
    }

    @Test
    void partsBehindFourGibiAreExact() throws Exception {
        RecordedExchange last = done(module(), Head.get("/far").with("Range", "bytes=-100000"));
        assertTrue(last.parts() > 0);
        assertEquals("bytes 5368609120-5368709119/5368709120", last.header("Content-Range"));
        assertEquals("end", last.text().substring(99_997));
    }

    @Test
    void fileThatIsCutEndsTheAnswer() throws Exception {
        PeerModule module = module();
        RecordedExchange exchange = stalled(module);
        try (RandomAccessFile file = new RandomAccessFile(root.resolve("large").toFile(), "rw")) {
            file.setLength(10);
        }
        exchange.takeAgain();

        assertEquals("the file has become shorter", exchange.awaitEnd());
        assertEquals(1L, figure(module, "failed"));
        assertEquals(0, figure(module, "openFiles"));
    }

    @Test
    void fileThatIsChangedInItsPlaceIsAbortedBeforeItsEnd() throws Exception {
        PeerModule module = module();
        RecordedExchange exchange = stalled(module);
        try (RandomAccessFile file = new RandomAccessFile(root.resolve("large").toFile(), "rw")) {
            file.seek(large.length - 10);
            file.write(7);
        }
        exchange.takeAgain();

        assertEquals("the file was changed while it was sent", exchange.awaitEnd());
        assertTrue(exchange.length() < large.length);
    }

    @Test
    void fileThatIsReplacedIsSentAsItWas() throws Exception {
        PeerModule module = module();
        RecordedExchange exchange = stalled(module);
        Files.write(root.resolve("new"), new byte[100_000]);
        Files.move(root.resolve("new"), root.resolve("large"), StandardCopyOption.REPLACE_EXISTING);
        exchange.takeAgain();

        assertEquals("complete", exchange.awaitEnd());
        assertArrayEquals(large, exchange.bytes());
        assertEquals(100_000, done(module, Head.get("/large")).length());
    }

    @Test
    void clientThatLeavesFreesTheFile() throws Exception {
        PeerModule module = module();
        RecordedExchange exchange = stalled(module);
        exchange.leave();

        assertEquals("the client is gone", exchange.awaitEnd());
        assertEquals(0, figure(module, "openFiles"));
        assertEquals(1L, figure(module, "left"));
    }

    @Test
    void limitThatComesMeanwhileIsKeptFromTheNextPartOn() throws Exception {
        PeerModule module = module("burst=100ms");
        RecordedExchange exchange = stalled(module);
        limit(module);
        long begin = System.nanoTime();
        exchange.takeAgain();

        assertKept(exchange, begin);
    }

    @Test
    void limitThatComesWhileAClientTakesPartAfterPartIsKept() throws Exception {
        PeerModule module = module("burst=100ms");
        RecordedExchange exchange = taker(Head.get("/large"));
        AtomicLong begin = new AtomicLong();
        InvocationHandler limitedAtTheFirstPart =
                (_, method, arguments) -> {
                    if (arguments != null
                            && arguments[0] instanceof FileRegion
                            && begin.get() == 0) {
                        limit(module);
                        begin.set(System.nanoTime());
                    }
                    return method.invoke(exchange, arguments);
                };
        Class<?>[] types = {PeerExchange.class};
        module.handler()
                .handle(
                        (PeerExchange)
                                Proxy.newProxyInstance(
                                        getClass().getClassLoader(), types, limitedAtTheFirstPart));

        exchange.awaitEnd();
        assertKept(exchange, begin.get());
    }

    private void limit(PeerModule module) throws Exception {
        configurations
                .getLast()
                .set(Map.of("request-rate", "5MB"), new Origin(Origin.Kind.HTTP, ""));
        // This one is placed behind the change.
        done(module, Head.get("/small"));
    }

    private void assertKept(RecordedExchange exchange, long begin) throws Exception {
        assertEquals("complete", exchange.awaitEnd());
        assertArrayEquals(large, exchange.bytes());
        assertTrue(exchange.parts() > 3, exchange.parts() + " parts");
        assertTrue(System.nanoTime() - begin > 200_000_000L);
    }
}
