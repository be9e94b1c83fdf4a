package org.lrwp.download;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.download.testkit.Settings;
import org.lrwp.http1.HttpDate;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.module.ModuleSetup;
import org.lrwp.runtime.module.PeerModule;
import org.lrwp.sdk.FileRegion;
import org.lrwp.sdk.PeerExchange;
import org.lrwp.testkit.Head;
import org.lrwp.testkit.RecordedExchange;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** What clients get of files that change while they are sent, and what they are told of them. */
@Timeout(60)
class ChangingDownloadsTest {
    private static final int SIZE = 1_500_000;

    @TempDir Path root;
    private final byte[] content = new byte[SIZE];
    private final List<PeerModule> open = new ArrayList<>();
    private Path file = Path.of("unset");

    @BeforeEach
    void makeFile() throws IOException {
        new Random(3).nextBytes(content);
        file = root.resolve("f");
        Files.write(file, content);
    }

    @AfterEach
    void close() {
        open.forEach(PeerModule::close);
    }

    private PeerModule module(String... settings) throws BadConfigurationException {
        List<String> all = new ArrayList<>(List.of(settings));
        all.add("root=" + root);
        ModuleSetup setup =
                new ModuleSetup(
                        "files", List.of("/files"), Settings.of(all.toArray(new String[0])));
        PeerModule module = new DownloadProvider().open(setup);
        open.add(module);
        return module;
    }

    private static RecordedExchange ask(PeerModule module, Head head) throws Exception {
        RecordedExchange exchange = new RecordedExchange(head);
        module.handler().handle(exchange);
        exchange.awaitEnd();
        return exchange;
    }

    /** On its way to a client that has taken some of it, and takes no more. */
    private static RecordedExchange begun(PeerModule module, Head head) throws Exception {
        RecordedExchange exchange = new RecordedExchange(head);
        exchange.stall();
        module.handler().handle(exchange);
        return exchange.await(one -> one.length() > 0);
    }

    private void append() throws IOException {
        Files.write(file, new byte[100_000], StandardOpenOption.APPEND);
    }

    private void cut() throws IOException {
        try (RandomAccessFile cut = new RandomAccessFile(file.toFile(), "rw")) {
            cut.setLength(10);
        }
    }

    private void replace(byte[] by) throws IOException {
        Path next = root.resolve("next");
        Files.write(next, by);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    @Test
    void fileThatGrowsWhileItIsSentEndsAtTheLengthThatWasAnnounced() throws Exception {
        PeerModule module = module();
        RecordedExchange exchange = begun(module, Head.get("/f"));
        append();
        exchange.takeAgain();

        assertEquals("complete", exchange.awaitEnd());
        assertEquals("" + SIZE, exchange.header("Content-Length"));
        assertArrayEquals(content, exchange.bytes());
        RecordedExchange next = ask(module, Head.get("/f"));
        assertEquals("" + (SIZE + 100_000), next.header("Content-Length"));
        assertNotEquals(exchange.header("ETag"), next.header("ETag"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=0-", "bytes=0-1299999", "bytes=0-1299999,1400000-1400001"})
    void fileThatIsChangedInItsPlaceBreaksOffAnyPartOfIt(String range) throws Exception {
        RecordedExchange exchange = begun(module(), Head.get("/f").with("Range", range));
        byte[] other = content.clone();
        new Random(4).nextBytes(other);
        Files.write(file, other);
        exchange.takeAgain();

        assertNotEquals("complete", exchange.awaitEnd());
        assertTrue(exchange.length() < 1_300_000, exchange.length() + " bytes");
    }

    /** A client of the kernel's way: the parts it is lent are sent when the test says so. */
    private static final class Taker {
        private final RecordedExchange exchange;
        private final BlockingQueue<FileRegion> parts = new LinkedBlockingQueue<>();
        private final FileRegion part;
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();

        Taker(PeerModule module) throws Exception {
            exchange = new RecordedExchange(Head.get("/f"));
            exchange.takeFiles();
            Class<?>[] types = {PeerExchange.class};
            PeerExchange taking =
                    (PeerExchange)
                            Proxy.newProxyInstance(
                                    Taker.class.getClassLoader(),
                                    types,
                                    (_, method, arguments) ->
                                            arguments != null
                                                            && arguments[0]
                                                                    instanceof FileRegion lent
                                                    ? parts.add(lent)
                                                    : method.invoke(exchange, arguments));
            module.handler().handle(taking);
            part = Objects.requireNonNull(parts.poll(20, TimeUnit.SECONDS));
        }

        /** Sends the only part, as far as it goes. */
        void send() throws Exception {
            assertFalse(exchange.isOver(), "it has ended before its bytes were sent");
            long sent = 0;
            long more = 1;
            while (more > 0 && sent < part.length()) {
                long most = Math.min(100_000, part.length() - sent);
                more = part.transferTo(sent, most, Channels.newChannel(body));
                sent += more;
            }
        }
    }

    @Test
    void fileThatGrowsEndsAtItsLengthOnTheKernelsWayToo() throws Exception {
        Taker taker = new Taker(module());
        append();
        taker.send();

        assertEquals("complete", taker.exchange.awaitEnd());
        assertArrayEquals(content, taker.body.toByteArray());
    }

    @Test
    void fileThatIsCutAfterItsLastPartWasLentBreaksTheAnswerOff() throws Exception {
        Taker taker = new Taker(module());
        cut();
        taker.send();

        assertEquals("the file has become shorter", taker.exchange.awaitEnd());
        assertTrue(taker.body.size() <= 10);
    }

    @Test
    void fileThatIsReplacedAgainAndAgainIsAlwaysAnsweredWithOneOfItsContents() throws Exception {
        PeerModule module = module("cache-check=0s", "cache-entry=1000");
        AtomicBoolean over = new AtomicBoolean();
        Map<String, Byte> known = new HashMap<>();
        Thread writer =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    byte[] next = new byte[20_000];
                                    for (byte i = 1; !over.get(); i++) {
                                        Arrays.fill(next, i);
                                        replaceUnchecked(next);
                                    }
                                });
        try {
            for (int i = 0; i < 500; i++) {
                RecordedExchange answer = ask(module, Head.get("/f"));
                assertEquals(200, answer.status());
                byte[] got = answer.bytes();
                if (got.length != SIZE) {
                    Byte first = got[0];
                    byte[] same = new byte[20_000];
                    Arrays.fill(same, got[0]);
                    assertArrayEquals(same, got);
                    Byte before = known.put(String.valueOf(answer.header("ETag")), first);
                    assertTrue(before == null || before.equals(first), "another content before");
                }
            }
        } finally {
            over.set(true);
            writer.join();
        }
        assertTrue(known.size() > 1, known.size() + " contents");
    }

    private void replaceUnchecked(byte[] by) {
        try {
            replace(by);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void oldContentHasItsOldValidatorsForAsLongAsALookCounts() throws Exception {
        PeerModule module = module("cache-check=1h");
        replace(new byte[] {'o', 'l', 'd'});
        RecordedExchange first = ask(module, Head.get("/f"));
        replace(new byte[] {'n', 'e', 'w'});

        RecordedExchange second = ask(module, Head.get("/f"));

        assertEquals("old", second.text());
        assertEquals(first.header("ETag"), second.header("ETag"));
        assertEquals("new", ask(module("cache-check=0s"), Head.get("/f")).text());
    }

    @Test
    void fileFromTheFutureIsSaidToBeOfNow() throws Exception {
        Instant begin = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        Files.setLastModifiedTime(file, FileTime.from(begin.plus(Duration.ofDays(9))));
        PeerModule module = module();

        RecordedExchange answer = ask(module, Head.get("/f"));

        String told = String.valueOf(answer.header("Last-Modified"));
        Instant modified = Objects.requireNonNull(HttpDate.parse(told, Instant.now()));
        assertFalse(modified.isBefore(begin) || modified.isAfter(Instant.now()), told);
        assertEquals(200, ask(module, Head.get("/f").with("If-Modified-Since", told)).status());
        Head resumed = Head.get("/f").with("Range", "bytes=9-").with("If-Range", told);
        assertEquals(200, ask(module, resumed).status());
        String etag = String.valueOf(answer.header("ETag"));
        assertEquals(304, ask(module, Head.get("/f").with("If-None-Match", etag)).status());
    }
}
