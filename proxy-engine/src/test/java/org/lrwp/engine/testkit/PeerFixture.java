package org.lrwp.engine.testkit;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.peer.PeerConfig;
import org.lrwp.engine.peer.PeerEnvironment;
import org.lrwp.engine.peer.PeerSlot;
import org.lrwp.engine.peer.WorkSource;
import org.lrwp.engine.peer.serial.Lrwp1Connection;
import org.lrwp.protocol.FilterSkipper;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.protocol.Registration;

import java.util.Objects;

/** A registered LRWP 1 peer on a connection in memory. */
public final class PeerFixture {
    private final FakeLink link;
    private final Lrwp1Connection connection;

    private PeerFixture(FakeLink link, Lrwp1Connection connection) {
        this.link = link;
        this.connection = connection;
    }

    /** A peer of {@code /osp} that has been acknowledged and has not settled. */
    public static PeerFixture aPeer(TestEngine engine, WorkSource work) {
        return aPeer(engine, work, TestEngine.peerConfig(), 1);
    }

    /** The same with other limits and a number of its own. */
    public static PeerFixture aPeer(
            TestEngine engine, WorkSource work, PeerConfig config, int number) {
        var link = new FakeLink("127.0.0.1", 40_000 + number, engine.loop());
        var connection =
                new Lrwp1Connection(
                        link,
                        registration(),
                        config,
                        new PeerEnvironment(engine.time(), engine.time(), work, context -> config),
                        new FilterSkipper(),
                        "anonymous");
        link.events(connection);
        return new PeerFixture(link, connection);
    }

    /** What the peer serves. */
    public static Registration registration() {
        return new Registration(ProtocolVersion.LRWP_1, "osp", "");
    }

    /** The peer is ready at once. */
    public PeerFixture settled() {
        connection.settle(0);
        return this;
    }

    /** The peer's side of the connection. */
    public FakeLink link() {
        return link;
    }

    /** The proxy's side of the connection. */
    public Lrwp1Connection connection() {
        return connection;
    }

    /** Gives the free peer a request. */
    public void give(Exchange exchange, FakeLoop loop) {
        PeerSlot slot = claim();
        if (slot == null || !slot.send(exchange)) {
            throw new AssertionError("the peer takes no request");
        }
        loop.run();
    }

    /** Claims the slot; null when it is not free. */
    public @Nullable PeerSlot claim() {
        return connection.claim();
    }

    /** What status says the connection is doing. */
    public String state() {
        return Objects.requireNonNull(connection.status().state());
    }
}
