package org.lrwp.webapp.edge;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.peer.LocalPeer;
import org.lrwp.engine.peer.ServedContext;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Files that the system sends, and clients that do not take them. */
class EdgeFilesTest extends EdgeListener {
    private static final int SIZE = 30_000_000;
    private static final long FAR = 5L << 30;

    @TempDir private Path folder;
    private final byte[] bytes = new byte[SIZE];
    private Path path = Path.of("");
    private FileOnDisk file;

    @BeforeEach
    void makeFile() throws IOException {
        path = folder.resolve("file");
        new Random(5).nextBytes(bytes);
        Files.write(path, bytes);
        try (RandomAccessFile far = new RandomAccessFile(path.toFile(), "rw")) {
            far.setLength(FAR);
            far.seek(FAR - 3);
            far.write(new byte[] {'e', 'n', 'd'});
        }
        file = new FileOnDisk(path);
    }

    private void serve(long from, long to) {
        engine.serve(
                new LocalPeer(
                        "files",
                        List.of(new ServedContext("/files", "")),
                        10,
                        exchange -> file.answer(exchange, from, to),
                        true,
                        () -> {}));
    }

    @AfterEach
    void closeFile() throws IOException {
        file.close();
    }

    private static Socket asking(Socket client) throws IOException {
        send(client, GET.replace("peer", "files"));
        return client;
    }

    private ExchangeRecord record() throws InterruptedException {
        ExchangeRecord record = log.poll(20, TimeUnit.SECONDS);
        if (record == null) {
            throw new AssertionError("no end");
        }
        return record;
    }

    /** All that is still to come, up to an end or a reset. */
    private static byte[] all(Socket client) throws IOException {
        var got = new ByteArrayOutputStream();
        byte[] some = new byte[1 << 16];
        try {
            int count = client.getInputStream().read(some);
            while (count >= 0) {
                got.write(some, 0, count);
                count = client.getInputStream().read(some);
            }
        } catch (SocketException reset) {
            return got.toByteArray();
        }
        return got.toByteArray();
    }

    private void awaitEvent(String wanted) throws InterruptedException {
        String event = file.events.poll(20, TimeUnit.SECONDS);
        while (event != null && !event.equals(wanted)) {
            event = file.events.poll(20, TimeUnit.SECONDS);
        }
        assertEquals(wanted, event);
    }

    @Test
    void filesArriveWholeOneAfterTheOtherOnAConnection() throws Exception {
        serve(0, SIZE);
        try (Socket client = client()) {
            for (int i = 0; i < 3; i++) {
                asking(client);
                String head = upTo(client, "\r\n\r\n");
                assertTrue(head.contains("Content-Length: " + SIZE), head);
                assertArrayEquals(bytes, client.getInputStream().readNBytes(SIZE));
                ExchangeRecord record = record();
                assertEquals(200, record.status());
                assertEquals(SIZE, record.answerBytes());
                awaitEvent("done");
            }
        }
    }

    @Test
    void aPartBehindFourGibiIsTheRightOne() throws Exception {
        serve(FAR - 3_000_000, FAR);
        try (Socket client = asking(client())) {
            upTo(client, "\r\n\r\n");
            byte[] got = client.getInputStream().readNBytes(3_000_000);
            assertEquals("end", new String(got, 2_999_997, 3, StandardCharsets.US_ASCII));
            assertEquals(0, got[0]);
        }
    }

    @Test
    void aClientThatStopsReadingHoldsNoThreadAndGetsTheRestLater() throws Exception {
        serve(0, SIZE);
        try (Socket slow = asking(client());
                Socket other = client()) {
            upTo(slow, "\r\n\r\n");
            awaitEvent("full");
            asking(other);
            upTo(other, "\r\n\r\n");
            assertArrayEquals(bytes, other.getInputStream().readNBytes(SIZE));
            assertArrayEquals(bytes, slow.getInputStream().readNBytes(SIZE));
            asking(slow);
            upTo(slow, "\r\n\r\n");
        }
    }

    @Test
    void aClientThatLeavesIsNoticedAndTheFileIsFree() throws Exception {
        serve(0, SIZE);
        try (Socket client = asking(client())) {
            upTo(client, "\r\n\r\n");
            awaitEvent("full");
        }
        ExchangeRecord record = record();
        assertEquals("client-gone", record.reason());
        assertTrue(record.answerBytes() < SIZE, record.toString());
        awaitEvent("done");
    }

    @Test
    void aFileThatIsCutCutsTheConnection() throws Exception {
        serve(0, SIZE);
        try (Socket client = asking(client())) {
            upTo(client, "\r\n\r\n");
            awaitEvent("full");
            try (RandomAccessFile cut = new RandomAccessFile(path.toFile(), "rw")) {
                cut.setLength(SIZE / 2);
            }
            int came = all(client).length;
            assertTrue(came < SIZE, came + " bytes");
        }
        assertEquals(200, record().status());
        awaitEvent("done");
    }

    @Test
    void anApplicationThatGoesCutsWhatIsUnderWay() throws Exception {
        serve(0, SIZE);
        try (Socket client = asking(client())) {
            upTo(client, "\r\n\r\n");
            awaitEvent("full");
            edge.shut();
            engine.close();
            assertTrue(all(client).length < SIZE);
        }
        awaitEvent("done");
    }

    @Test
    void sendersThatEndCutWhatIsUnderWay() throws Exception {
        serve(0, SIZE);
        try (Socket client = asking(client())) {
            upTo(client, "\r\n\r\n");
            awaitEvent("full");
            senders.close();
            byte[] got = all(client);
            assertTrue(got.length < SIZE, got.length + " bytes");
            assertArrayEquals(Arrays.copyOf(bytes, got.length), got);
        }
        awaitEvent("done");
    }
}
