package org.lrwp.jetty;

import org.eclipse.jetty.io.ByteArrayEndPoint;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;

import java.util.EventListener;
import java.util.concurrent.TimeoutException;

/**
 * Stands for the connection that requests came on, for whoever asks Jetty for one. It counts
 * nothing and carries nothing: what there is belongs to the peer.
 */
final class DialledConnection implements Connection {
    private final EndPoint endPoint = new ByteArrayEndPoint();
    private final long created = System.currentTimeMillis();

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
