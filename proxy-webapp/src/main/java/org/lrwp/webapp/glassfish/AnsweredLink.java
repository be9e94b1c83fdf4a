package org.lrwp.webapp.glassfish;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.spool.FilePart;
import org.lrwp.webapp.files.FileSenders;
import org.lrwp.webapp.files.SendEnd;
import org.lrwp.webapp.files.SendListener;
import org.lrwp.webapp.servlet.ClientLink;

/** A client's connection whose answers are written here and not by the container's filters. */
interface AnsweredLink extends ClientLink {
    /** Where the answer goes. */
    DirectWriter out();

    /** The present answer; null while there is none. */
    @Override
    @Nullable DirectAnswer answer();

    /** Whether the connection ends with the present answer. */
    boolean isLast();

    /** Who sends parts of files to the client; null when nobody does. */
    @Nullable FileSenders senders();

    /** The answer's head is about to be written: nothing else must be from now on. */
    void begun();

    /** The answer is written. */
    void complete();

    @Override
    default void prepareAnswer(String reason) {
        DirectAnswer present = answer();
        if (present != null) {
            present.reason(reason);
        }
    }

    @Override
    default boolean keepsOpen() {
        return true;
    }

    @Override
    default boolean addOctets(String name, String value) {
        DirectAnswer present = answer();
        if (present != null) {
            present.add(name, value);
        }
        return true;
    }

    @Override
    default boolean setDate(String date) {
        DirectAnswer present = answer();
        if (present != null && !present.has("Date")) {
            present.add("Date", date);
        }
        return true;
    }

    @Override
    default long pendingOctets() {
        return out().pendingOctets();
    }

    @Override
    default void limitPending(int octets) {
        out().limitPending(octets);
    }

    @Override
    default boolean sendsFiles() {
        return senders() != null;
    }

    @Override
    default void send(FilePart part, SendListener listener) {
        FileSenders senders = senders();
        if (senders == null) {
            listener.ended(SendEnd.GONE);
        } else {
            out().send(senders, part, listener);
        }
    }

    @Override
    default void cut(boolean reset) {
        out().cut(reset);
    }
}
