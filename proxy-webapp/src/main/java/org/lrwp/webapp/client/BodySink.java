package org.lrwp.webapp.client;

import org.lrwp.engine.spool.Handover;

import java.nio.ByteBuffer;

/** Takes the body of a request. One thread at a time. */
public interface BodySink {
    /**
     * Takes bytes.
     *
     * @param bytes the next ones
     * @param how whose they are; not lent
     * @return whether more is wanted
     */
    boolean take(ByteBuffer bytes, Handover how);

    /**
     * Says whether there is room for more.
     *
     * @return whether more is taken now; if not, {@link BodySource#resume} follows
     */
    boolean hasRoom();

    /** The body has become whole or broken, or an end that was asked for has come. */
    void changed();
}
