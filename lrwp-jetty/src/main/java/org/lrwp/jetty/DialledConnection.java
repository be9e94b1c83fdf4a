package org.lrwp.jetty;

import org.eclipse.jetty.io.ByteArrayEndPoint;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;

import java.util.EventListener;
import java.util.concurrent.TimeoutException;

/**
 * Stands for the connection that requests came on, for whoever asks Jetty for one. It counts
 * nothing and carries nothing: what there is belongs to the peer. That of a request which may go
 * over to another protocol has an end point of its own.
 */
final class DialledConnection implements Connection {
    private final EndPoint endPoint;
    private final long created = System.currentTimeMillis();

    /** The connection of all requests that stay HTTP. */
    DialledConnection() {
        this(new ByteArrayEndPoint());
    }

    /** The connection of one request. */
    DialledConnection(EndPoint endPoint) {
        this.endPoint = endPoint;
        endPoint.setConnection(this);
    }

    @Override
    public void addEventListener(EventListener listener) {
        // It is never opened and never closed.
    }

    @Override
    public void removeEventListener(EventListener listener) {
        // None was added.
    }

    @Override
    public void onOpen() {
        // It is not opened.
    }

    @Override
    public void onClose(Throwable cause) {
        // It is not closed.
    }

    @Override
    public EndPoint getEndPoint() {
        return endPoint;
    }

    @Override
    public void close() {
        // The peer's connections are its own.
    }

    @Override
    public boolean onIdleExpired(TimeoutException timeout) {
        return false;
    }

    @Override
    public long getMessagesIn() {
        return 0;
    }

    @Override
    public long getMessagesOut() {
        return 0;
    }

    @Override
    public long getBytesIn() {
        return 0;
    }

    @Override
    public long getBytesOut() {
        return 0;
    }

    @Override
    public long getCreatedTimeStamp() {
        return created;
    }
}
