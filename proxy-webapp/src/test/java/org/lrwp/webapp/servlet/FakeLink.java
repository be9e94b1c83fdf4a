package org.lrwp.webapp.servlet;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.request.ClientConnection;
import org.lrwp.engine.spool.FilePart;
import org.lrwp.webapp.files.SendListener;

import java.util.ArrayList;
import java.util.List;

/** A client's connection that remembers what was done to it. */
final class FakeLink implements ContainerLink {
    final List<String> events = new ArrayList<>();
    long pending;
    boolean tellsPending = true;
    boolean ended;
    boolean keepsOpen;
    boolean whole;
    boolean restDropped;
    @Nullable String replaced;
    @Nullable SendListener sending;
    @Nullable ClientConnection ends;

    @Override
    public boolean hasWholeRequest() {
        return whole;
    }

    @Override
    public boolean keepsOpen() {
        return keepsOpen;
    }

    @Override
    public @Nullable String replacedTarget() {
        return replaced;
    }

    @Override
    public @Nullable ClientConnection ends() {
        return ends;
    }

    @Override
    public void prepareAnswer(String reason) {
        events.add("prepare " + reason);
    }

    @Override
    public void end() {
        ended = true;
    }

    @Override
    public boolean isEnded() {
        return ended;
    }

    @Override
    public boolean tellsPending() {
        return tellsPending;
    }

    @Override
    public long pendingBytes() {
        return pending;
    }

    @Override
    public boolean sendsFiles() {
        return true;
    }

    @Override
    public void send(FilePart part, SendListener listener) {
        events.add("file " + part.length());
        sending = listener;
    }

    @Override
    public void dropRest() {
        restDropped = true;
    }

    @Override
    public void cut(boolean reset) {
        events.add(reset ? "reset" : "close");
    }

    boolean isCut() {
        return events.contains("reset") || events.contains("close");
    }
}
