package org.lrwp.engine.testkit;

import org.lrwp.engine.exchange.Dispatcher;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.peer.ContextRegistrar;
import org.lrwp.engine.peer.PeerConnection;
import org.lrwp.engine.peer.PeerEnvironment;
import org.lrwp.engine.peer.PeerSlot;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.engine.peer.WorkSource;
import org.lrwp.engine.peer.multiplexed.Lrwp3Connection;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.protocol.Registration;
import org.lrwp.protocol.frame.FrameType;
import org.lrwp.protocol.frame.PeerSettings;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.Frame;

import java.util.List;

/** A registered LRWP 3 peer on a connection in memory; its frames are written as text. */
public final class MultiplexedPeer {
    private final TestEngine engine;
    private final FakeLink link;
    private final Lrwp3Connection connection;

    private MultiplexedPeer(TestEngine engine, FakeLink link, Lrwp3Connection connection) {
        this.engine = engine;
        this.link = link;
        this.connection = connection;
    }

    /** A peer that has been acknowledged and has said nothing since. */
    public static MultiplexedPeer aPeer(
            TestEngine engine, WorkSource work, ContextRegistrar registrar, int number) {
        var link = new FakeLink("127.0.0.1", 50_000 + number, engine.loop());
        var connection =
                new Lrwp3Connection(
                        link,
                        new Registration(ProtocolVersion.LRWP_3, "/osp", ""),
                        TestEngine.lrwp3Config(),
                        new PeerEnvironment(
                                engine.time(),
                                engine.time(),
                                work,
                                context -> TestEngine.peerConfig()),
                        registrar);
        link.events(connection);
        return new MultiplexedPeer(engine, link, connection);
    }

    /** A peer whose settings have come, and that has read ours. */
    public static MultiplexedPeer anOpenPeer(
            TestEngine engine, WorkSource work, PeerSettings settings) {
        MultiplexedPeer peer = aPeer(engine, work, everything(), 1);
        peer.connection().start();
        peer.greets(settings);
        peer.frames();
        return peer;
    }

    /** Lets everything in. */
    public static ContextRegistrar everything() {
        return new ContextRegistrar() {
            @Override
            public long turnNanos() {
                return 0;
            }

            @Override
            public @org.jspecify.annotations.Nullable String register(
                    PeerConnection connection, ServedContext context) {
                return null;
            }

            @Override
            public String identity() {
                return "test";
            }

            @Override
            public void opened(PeerConnection connection) {}

            @Override
            public void unregister(PeerConnection connection, ServedContext context) {}
        };
    }

    /** Settings with a capacity, started=1 and ping=1. */
    public static PeerSettings settings(int capacity) {
        return new PeerSettings("test", capacity, 65_536, 65_536, true, false, true);
    }

    /** Settings with stream=1 too. */
    public static PeerSettings streaming(int capacity) {
        return new PeerSettings("test", capacity, 65_536, 65_536, true, true, true);
    }

    /** The peer's first frame. */
    public void greets(PeerSettings settings) {
        arrives(Bytes.text(settings.encode()));
    }

    /** The peer sends a frame. */
    public void sends(FrameType type, int stream, String payload) {
        arrives(frame(type, false, stream, payload));
    }

    /** The peer sends a frame with END. */
    public void ends(FrameType type, int stream, String payload) {
        arrives(frame(type, true, stream, payload));
    }

    /** The peer answers a request wholly. */
    public void answers(int stream, String body) {
        ends(FrameType.RESPONSE, stream, "Content-Type: text/plain\n\n" + body);
    }

    private void arrives(String bytes) {
        link.arrives(bytes);
        engine.loop().run();
    }

    /** A frame as text. */
    public static String frame(FrameType type, boolean end, int stream, String payload) {
        Frame frame = Frame.of(type.code(), stream, payload);
        return Bytes.text((end ? frame.ending() : frame).bytes());
    }

    /** Four bytes. */
    public static String u32(long value) {
        return Frame.number(0, 0, value).text();
    }

    /** What the peer has got since it was asked last, a line for each frame. */
    public List<String> frames() {
        engine.loop().run();
        return Frame.all(Bytes.of(link.received())).stream().map(Frame::shown).toList();
    }

    /** Gives the peer a new request. */
    public Exchange give(String method, String body, Dispatcher context, RecordingClient client) {
        Exchange exchange = engine.submit(method, body, context, client);
        give(exchange);
        return exchange;
    }

    /** Gives the peer a request. */
    public void give(Exchange exchange) {
        PeerSlot slot = connection.claim();
        if (slot == null || !slot.send(exchange)) {
            throw new AssertionError("the peer takes no request");
        }
        engine.loop().run();
    }

    /** The peer's side of the connection. */
    public FakeLink link() {
        return link;
    }

    /** The proxy's side of the connection. */
    public Lrwp3Connection connection() {
        return connection;
    }
}
