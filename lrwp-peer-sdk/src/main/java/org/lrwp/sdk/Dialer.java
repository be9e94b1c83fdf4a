package org.lrwp.sdk;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.MalformedFrameException;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.util.List;

/**
 * Keeps one link up: dials, registers, serves, and after a loss waits and dials again.
 *
 * <p>Runs on a virtual thread of its own. {@link #leave()} and {@link #abort()} come from other
 * threads: they see the socket or the connection that this thread has published, or this thread,
 * having published, sees that the peer is leaving.
 */
final class Dialer implements Runnable {
    private final ProxyWatch proxy;
    private final ProxyWatch.Slot slot;
    private final LinkSet links;
    private final PeerSettings settings;
    private final EventReport report;
    private final BackOff backOff;
    private volatile PeerLink link;
    private volatile @Nullable Thread thread;
    private volatile @Nullable Socket socket;
    private volatile @Nullable PeerConnection connection;

    Dialer(
            ProxyWatch proxy,
            ProxyWatch.Slot slot,
            PeerLink link,
            LinkSet links,
            PeerSettings settings,
            EventReport report) {
        this.proxy = proxy;
        this.slot = slot;
        this.link = link;
        this.links = links;
        this.settings = settings;
        this.report = report;
        this.backOff = BackOff.of(settings);
    }

    @Override
    public void run() {
        thread = Thread.currentThread();
        try {
            List<InetAddress> candidates = proxy.candidates(slot.target());
            while (!candidates.isEmpty() && !links.isLeaving()) {
                connectAndServe(candidates);
                if (links.isLeaving()) {
                    break;
                }
                proxy.lookUpAgain();
                var delay = backOff.next();
                report.accept(new PeerEvent.Retrying(link, delay));
                if (links.awaitLeaving(delay)) {
                    break;
                }
                candidates = proxy.candidates(slot.target());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            report.accept(new PeerEvent.Closed(link));
            proxy.ended(slot);
            links.remove(this);
        }
    }

    private void connectAndServe(List<InetAddress> candidates) {
        try (Socket dialled = dial(candidates)) {
            FrameInput in = new FrameInput(dialled);
            in.waitAtMost(settings.times().registration());
            new Handshake(settings.registration(link.context()), settings.secret())
                    .run(in, dialled.getOutputStream());
            HandlerCall handler = new HandlerCall(settings.handler(), report);
            serve(new SerialConnection(dialled, in, link, handler, settings));
        } catch (RefusedException e) {
            report.accept(new PeerEvent.Refused(link, e.text()));
        } catch (IOException | MalformedFrameException e) {
            if (!links.isLeaving()) {
                report.accept(new PeerEvent.Lost(link, e));
            }
        } finally {
            connection = null;
            socket = null;
        }
    }

    private void serve(PeerConnection registered) throws IOException, MalformedFrameException {
        long since = settings.surroundings().nanoTime().getAsLong();
        connection = registered;
        links.count(link.context(), 1);
        try {
            report.accept(new PeerEvent.Registered(link));
            if (links.isLeaving()) {
                registered.leave();
            }
            registered.serve();
        } finally {
            links.count(link.context(), -1);
            backOff.held(settings.surroundings().nanoTime().getAsLong() - since);
        }
    }

    /** Opens a connection to the first candidate that answers. */
    private Socket dial(List<InetAddress> candidates) throws IOException {
        IOException failure = null;
        for (InetAddress candidate : candidates) {
            InetSocketAddress address = new InetSocketAddress(candidate, proxy.port());
            link = new PeerLink(address, link.context(), link.virtualHost(), link.number());
            report.accept(new PeerEvent.Connecting(link));
            Socket fresh = new Socket();
            try {
                open(fresh, address);
                return fresh;
            } catch (IOException e) {
                fresh.close();
                if (failure != null) {
                    e.addSuppressed(failure);
                }
                failure = e;
            }
        }
        throw failure == null ? new IOException("no address") : failure;
    }

    private void open(Socket fresh, InetSocketAddress address) throws IOException {
        socket = fresh;
        if (links.isLeaving()) {
            throw new IOException("the peer is leaving");
        }
        fresh.setTcpNoDelay(true);
        fresh.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        KeepAlive.quicken(fresh);
        fresh.connect(address, Math.toIntExact(settings.times().connect().toMillis()));
    }

    /** Lets the link end: at once when nothing is under way, else behind the answer. */
    void leave() {
        PeerConnection registered = connection;
        if (registered != null) {
            registered.leave();
        } else {
            closeSocket();
        }
    }

    /** Ends the link now, whatever is under way. */
    void abort() {
        closeSocket();
        Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
    }

    private void closeSocket() {
        Socket open = socket;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                report.accept(new PeerEvent.Lost(link, e));
            }
        }
    }
}
