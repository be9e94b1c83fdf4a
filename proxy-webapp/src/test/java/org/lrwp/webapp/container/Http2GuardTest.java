package org.lrwp.webapp.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.ConnectionProbe;
import org.glassfish.grizzly.http.server.HttpHandler;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.http.server.Response;
import org.glassfish.grizzly.http2.Http2AddOn;
import org.glassfish.grizzly.http2.Http2Configuration;
import org.glassfish.grizzly.nio.NIOConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lrwp.testkit.wire.Bytes;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/** A guard before the HTTP/2 of a real listener. */
@Timeout(60)
class Http2GuardTest {
    private static final Duration HEAD_TIME = Duration.ofSeconds(30);
    private static final int SOON = 10;
    private static final int GOAWAY = 7;
    private static final int FRAME_SIZE_ERROR = 6;
    private static final int ENHANCE_YOUR_CALM = 11;
    private static final byte[] PREFACE = Bytes.of("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    private static final byte[] SETTINGS = Http2Bytes.frame(4, 0, 0, 0);
    private static final byte[] NOTHING = Http2Bytes.frame(9, 0, 1, 0);
    private static final byte[] HEAD = {(byte) 0x82, (byte) 0x86, (byte) 0x84, 1, 1, 'a'};
    private static final byte[] REQUEST = Http2Bytes.frame(1, 5, 1, HEAD);
    private static final byte[] BEGUN = Http2Bytes.frame(1, 1, 1, HEAD);

    private final HttpServer server = new HttpServer();
    private final NetworkListener http = new NetworkListener("http", "127.0.0.1", 0);
    private final AtomicLong now = new AtomicLong();
    private final BlockingQueue<BooleanSupplier> looks = new LinkedBlockingQueue<>();
    private final Http2Watch watch =
            new Http2Watch(
                    0,
                    () -> Duration.ofMinutes(1),
                    () -> HEAD_TIME,
                    () -> 1000,
                    now::get,
                    looks::add);

    @BeforeEach
    @SuppressWarnings("rawtypes") // As the interface has them.
    void setUp() throws IOException {
        http.registerAddOn(new Http2AddOn(Http2Configuration.builder().build()));
        http.getTransport()
                .getConnectionMonitoringConfig()
                .addProbes(
                        new ConnectionProbe.Adapter() {
                            @Override
                            public void onAcceptEvent(Connection port, Connection client) {
                                client.setProcessor(http.getTransport().getProcessor());
                                Http2Guard.guard((NIOConnection) client, watch);
                            }
                        });
        server.addListener(http);
        server.getServerConfiguration()
                .addHttpHandler(
                        new HttpHandler() {
                            @Override
                            public void service(Request request, Response response) {
                                response.setStatus(204);
                            }
                        },
                        "/");
        server.start();
    }

    @AfterEach
    void tearDown() {
        server.shutdownNow();
    }

    private InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), http.getPort());
    }

    private Socket client(byte[]... bytes) throws IOException {
        Socket made = new Socket();
        made.setReceiveBufferSize(4096);
        made.setSoTimeout((int) Duration.ofSeconds(SOON).toMillis());
        made.connect(address());
        made.getOutputStream().write(Bytes.join(bytes));
        return made;
    }

    /** The check of the streams, then that of the guard. */
    private BooleanSupplier look() throws InterruptedException {
        assertNotNull(looks.poll(SOON, TimeUnit.SECONDS));
        BooleanSupplier look = looks.poll(SOON, TimeUnit.SECONDS);
        assertNotNull(look);
        return look;
    }

    private void requireCutInTime(BooleanSupplier look, Socket client) throws IOException {
        now.addAndGet(HEAD_TIME.toNanos() - 1);
        assertTrue(look.getAsBoolean());
        now.incrementAndGet();
        assertFalse(look.getAsBoolean());
        assertEquals(ENHANCE_YOUR_CALM, goAway(client));
    }

    /** The code of GOAWAY, behind which the connection must end. */
    private static int goAway(Socket client) throws IOException {
        var in = new DataInputStream(client.getInputStream());
        byte[] frame = frame(in, GOAWAY);
        assertEquals(-1, in.read());
        return ByteBuffer.wrap(frame).getInt(Integer.BYTES);
    }

    /** Reads up to the payload of a frame. */
    private static byte[] frame(DataInputStream in, int type) throws IOException {
        while (true) {
            int first = in.readInt();
            in.readByte();
            in.readInt();
            byte[] payload = in.readNBytes(first >>> Byte.SIZE);
            if ((first & 0xFF) == type) {
                return payload;
            }
        }
    }

    @Test
    void headThatDoesNotEndInItsTimeEndsTheConnection() throws Exception {
        try (Socket client = client(PREFACE, SETTINGS, BEGUN, NOTHING)) {
            requireCutInTime(look(), client);
        }
    }

    @Test
    void prefaceWithoutSettingsEndsTheConnection() throws Exception {
        try (Socket client = client(PREFACE)) {
            requireCutInTime(look(), client);
        }
    }

    @Test
    void clientThatDoesNotGoOnAfterItsUpgradeIsCut() throws Exception {
        String request =
                String.join(
                        "\r\n",
                        "GET / HTTP/1.1",
                        "Host: a",
                        "Connection: Upgrade, HTTP2-Settings",
                        "Upgrade: h2c",
                        "HTTP2-Settings: AAMAAABk",
                        "",
                        "");
        try (Socket client = client(Bytes.of(request))) {
            BooleanSupplier look = looks.poll(SOON, TimeUnit.SECONDS);
            assertNotNull(look);
            assertTrue(look.getAsBoolean());
            now.addAndGet(HEAD_TIME.toNanos());
            assertFalse(look.getAsBoolean());
            var in = new DataInputStream(client.getInputStream());
            while (in.read() >= 0) {
                // What was said before the end.
            }
        }
    }

    @Test
    void eachHeadHasATimeOfItsOwn() throws Exception {
        try (Socket client = client(PREFACE, SETTINGS, BEGUN)) {
            BooleanSupplier look = look();
            assertTrue(look.getAsBoolean());
            now.addAndGet(HEAD_TIME.toNanos() - 1);
            client.getOutputStream().write(Http2Bytes.frame(9, 4, 1, 0));
            var in = new DataInputStream(client.getInputStream());
            frame(in, 1);

            assertFalse(look.getAsBoolean());
            now.addAndGet(HEAD_TIME.toNanos());
            assertFalse(look.getAsBoolean());
            client.getOutputStream().write(Http2Bytes.frame(1, 1, 3, HEAD));

            BooleanSupplier next = looks.poll(SOON, TimeUnit.SECONDS);
            assertNotNull(next);
            requireCutInTime(next, client);
        }
    }

    @Test
    void headInManyEmptyFramesEndsTheConnection() throws Exception {
        byte[][] many = new byte[64][];
        Arrays.fill(many, NOTHING);
        try (Socket client = client(PREFACE, SETTINGS, BEGUN, Bytes.join(many), REQUEST)) {
            assertEquals(ENHANCE_YOUR_CALM, goAway(client));
        }
    }

    @Test
    void longFrameEndsTheConnectionThoughItsClientTakesSuch() throws Exception {
        byte[] allowed = ByteBuffer.allocate(6).putShort((short) 5).putInt(0xFFFFFF).array();
        byte[] settings = Http2Bytes.frame(4, 0, 0, allowed);
        try (Socket client = client(PREFACE, settings, Http2Bytes.frame(0, 0, 1, 20_000))) {
            assertEquals(FRAME_SIZE_ERROR, goAway(client));
        }
    }

    @Test
    void clientThatAsksInMassesAndReadsNothingIsCut() throws Exception {
        byte[][] many = new byte[1000][];
        Arrays.fill(many, Http2Bytes.frame(6, 0, 0, 8));
        byte[] pings = Bytes.join(many);
        // A channel's thread can be interrupted while it writes.
        try (SocketChannel client = SocketChannel.open(address())) {
            client.write(ByteBuffer.wrap(Bytes.join(PREFACE, SETTINGS)));
            assertThrows(
                    IOException.class,
                    () -> {
                        while (true) {
                            client.write(ByteBuffer.wrap(pings));
                        }
                    });
        }
    }

    @Test
    void clientThatReadsMayAskAsOftenAsItLikes() throws Exception {
        try (Socket client = client(PREFACE, SETTINGS)) {
            var in = new DataInputStream(client.getInputStream());
            for (int i = 0; i < 3000; i++) {
                client.getOutputStream().write(Http2Bytes.frame(6, 0, 0, 8));
                assertEquals(8, frame(in, 6).length);
            }
        } catch (EOFException e) {
            throw new AssertionError("cut", e);
        }
    }
}
