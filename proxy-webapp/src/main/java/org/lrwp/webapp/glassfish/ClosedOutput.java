package org.lrwp.webapp.glassfish;

import org.glassfish.grizzly.http.io.OutputBuffer;
import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Closes Grizzly's output of an answer that was written past it. Left open, it sends an empty end
 * through all filters, which find nothing to do.
 */
final class ClosedOutput {
    private static final System.Logger LOG = System.getLogger(ClosedOutput.class.getName());
    private static final @Nullable VarHandle CLOSED = closed();

    private ClosedOutput() {}

    private static @Nullable VarHandle closed() {
        try {
            return MethodHandles.privateLookupIn(OutputBuffer.class, MethodHandles.lookup())
                    .findVarHandle(OutputBuffer.class, "closed", boolean.class);
        } catch (ReflectiveOperationException | RuntimeException e) {
            // Only speed is lost: the container is another than those that were tried.
            LOG.log(Level.INFO, "container-unknown reason={0}", e.toString());
            return null;
        }
    }

    /** Closes the output without a word to the client. */
    static void close(OutputBuffer output) {
        if (CLOSED != null) {
            CLOSED.set(output, true);
        }
    }
}
