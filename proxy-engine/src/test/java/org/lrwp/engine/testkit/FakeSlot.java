package org.lrwp.engine.testkit;

import org.lrwp.engine.exchange.Slot;

/** A slot that counts how often it was told that nobody waits any more. */
public final class FakeSlot implements Slot {
    private final String name;
    private final boolean streaming;
    private int cancelled;

    /** Creates a slot whose peer wants requests as a whole. */
    public FakeSlot(String name) {
        this(name, false);
    }

    /** Creates a slot. */
    public FakeSlot(String name, boolean streaming) {
        this.name = name;
        this.streaming = streaming;
    }

    @Override
    public String peerName() {
        return name;
    }

    @Override
    public Object connection() {
        return this;
    }

    @Override
    public boolean isStreaming() {
        return streaming;
    }

    @Override
    public void cancel() {
        cancelled++;
    }

    /** How often it was cancelled. */
    public int cancelled() {
        return cancelled;
    }
}
