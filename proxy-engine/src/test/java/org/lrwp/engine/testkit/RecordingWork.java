package org.lrwp.engine.testkit;

import org.lrwp.engine.peer.PeerConnection;
import org.lrwp.engine.peer.WorkSource;

import java.util.ArrayList;
import java.util.List;

/** Work that there never is; writes down who asked. */
public final class RecordingWork implements WorkSource {
    private final List<String> calls = new ArrayList<>();

    @Override
    public void slotFree(PeerConnection connection) {
        calls.add("free");
    }

    @Override
    public void leaving(PeerConnection connection) {
        calls.add("leaving");
    }

    @Override
    public void gone(PeerConnection connection) {
        calls.add("gone");
    }

    /** What it was told, in this order. */
    public List<String> calls() {
        return calls;
    }
}
