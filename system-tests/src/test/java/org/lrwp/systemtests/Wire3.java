package org.lrwp.systemtests;

import org.lrwp.testkit.wire.Frame;
import org.lrwp.testkit.wire.FramePeer;

import java.io.IOException;
import java.time.Duration;

/** What several tests of LRWP 3 do on the wire. */
final class Wire3 {
    private static final Duration HELD_BACK = Duration.ofMillis(400);
    private static final int CHUNK = 16_384;
    private static final long MOST = 100_000_000;

    private Wire3() {}

    /** Sends octets on a stream until the proxy grants no more; returns how many. */
    static long sendUntilHeldBack(FramePeer peer, int stream, long window) throws IOException {
        long credit = window;
        long sent = 0;
        while (sent < MOST) {
            while (credit > 0) {
                int count = (int) Math.min(CHUNK, credit);
                peer.send(Frame.of(Frame.DATA, stream, new byte[count]));
                credit -= count;
                sent += count;
            }
            if (peer.isSilent(HELD_BACK)) {
                return sent;
            }
            credit += peer.expect(Frame.WINDOW, stream).number();
        }
        throw new AssertionError("the proxy takes octets without end");
    }

    /** Waits until octets are there to be read. */
    static void awaitOctets(FramePeer peer) throws IOException {
        if (peer.isSilent(Duration.ofSeconds(10))) {
            throw new AssertionError("nothing comes");
        }
    }

    /** Reads WINDOW frames until an answer to a PING. */
    static void skipWindows(FramePeer peer, int stream) throws IOException {
        peer.ping("windows?");
        Frame frame = peer.frame();
        while (frame.type() == Frame.WINDOW && frame.stream() == stream) {
            frame = peer.frame();
        }
        if (frame.type() != Frame.PONG) {
            throw new AssertionError("not a WINDOW: " + frame);
        }
    }
}
