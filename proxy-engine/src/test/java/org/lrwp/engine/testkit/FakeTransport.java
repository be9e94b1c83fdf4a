package org.lrwp.engine.testkit;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.transport.Link;
import org.lrwp.engine.transport.PeerAddress;
import org.lrwp.engine.transport.Transport;
import org.lrwp.engine.transport.TransportStatus;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** A transport whose peers dial in from memory. */
public final class FakeTransport implements Transport {
    private final FakeLoop loop;
    private @Nullable Consumer<Link> accepted;
    private int dialled;

    /** Creates a transport. */
    public FakeTransport(FakeLoop loop) {
        this.loop = loop;
    }

    @Override
    public Listener listen(InetSocketAddress address, Consumer<Link> acceptor) throws IOException {
        if (accepted != null) {
            throw new IOException("in use");
        }
        accepted = acceptor;
        return new Listener() {
            @Override
            public InetSocketAddress address() {
                return address;
            }

            @Override
            public void close() {
                accepted = null;
            }
        };
    }

    /** Whether peers can dial in. */
    public boolean isListening() {
        return accepted != null;
    }

    /** A peer dials in. */
    public FakeLink dial(String address) {
        return dial(PeerAddress.of(new InetSocketAddress(address, 40_000 + dialled++)));
    }

    /** A peer dials in, from anywhere. */
    public FakeLink dial(PeerAddress from) {
        Consumer<Link> acceptor = accepted;
        if (acceptor == null) {
            throw new IllegalStateException("nobody listens");
        }
        FakeLink link = new FakeLink(from, loop);
        acceptor.accept(link);
        return link;
    }

    @Override
    public @Nullable Executor here() {
        return null;
    }

    @Override
    public TransportStatus status() {
        return new TransportStatus("fake", "", 1, accepted != null, 0);
    }

    @Override
    public void close() {
        accepted = null;
    }
}
