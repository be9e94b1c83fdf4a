package org.lrwp.sdk;

import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.frame.FrameType;
import org.lrwp.protocol.frame.Frames;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.function.LongSupplier;

/** What a peer does about a proxy that has broken a rule: docs/protocol.md section 15. */
final class Complaint {
    /** What the proxy has to end its side after this one has ended its own. */
    private static final Duration LINGER = Duration.ofSeconds(1);

    private Complaint() {}

    /** The frame that names the rule. */
    static byte[] frame(MalformedFrameException fault) {
        return Frames.text(FrameType.ERROR, 0, String.valueOf(fault.getMessage()));
    }

    /** Complains before there is a writer, and ends this side. */
    static void make(
            ProxySocket proxy, FrameInput in, LongSupplier nanoTime, MalformedFrameException fault)
            throws IOException {
        proxy.output().write(frame(fault));
        proxy.output().flush();
        proxy.shutdownOutput();
        readOn(in, nanoTime, fault);
    }

    /** Reads on for a while, so that no reset takes back what was written. */
    static void readOn(FrameInput in, LongSupplier nanoTime, MalformedFrameException fault)
            throws IOException {
        in.waitAtMost(LINGER);
        byte[] dropped = new byte[4096];
        long begun = nanoTime.getAsLong();
        try {
            while (nanoTime.getAsLong() - begun < LINGER.toNanos()
                    && in.read(dropped, 0, dropped.length) >= 0) {
                // Nothing of it counts any more.
            }
        } catch (SocketTimeoutException e) {
            // The proxy has had its time.
        } catch (IOException e) {
            fault.addSuppressed(e);
        }
    }
}
