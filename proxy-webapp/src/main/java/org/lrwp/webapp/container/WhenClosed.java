package org.lrwp.webapp.container;

import org.glassfish.grizzly.CloseReason;
import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.EmptyCompletionHandler;

/** Hears that a connection is closed, by whomever; kept as long as the connection. */
final class WhenClosed extends EmptyCompletionHandler<CloseReason> {
    private final Runnable told;

    private WhenClosed(Runnable told) {
        this.told = told;
    }

    /**
     * Has somebody told, once.
     *
     * @param connection maybe closed already
     * @param told called by any thread
     */
    static void of(Connection<?> connection, Runnable told) {
        connection.closeFuture().addCompletionHandler(new WhenClosed(told));
    }

    @Override
    public void completed(CloseReason reason) {
        told.run();
    }
}
