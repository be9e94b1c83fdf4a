package org.lrwp.webapp;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;

/** Closes what the proxy has started. */
final class Closing {
    private static final System.Logger LOG = System.getLogger(Closing.class.getName());

    private Closing() {}

    /**
     * Closes a part; one that does not close keeps nothing else open.
     *
     * @param part null when it has not started
     */
    static void quietly(@Nullable AutoCloseable part) {
        try {
            if (part != null) {
                part.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception | LinkageError e) {
            LOG.log(Level.WARNING, "not-closed", e);
        }
    }
}
