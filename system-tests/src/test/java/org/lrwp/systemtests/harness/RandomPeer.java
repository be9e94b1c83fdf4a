package org.lrwp.systemtests.harness;

import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** A peer that does right most of the time, and anything else the rest of it. */
public interface RandomPeer {
    /** Requests whose answers it began and did not end. */
    Map<String, Boolean> cuts();

    /** Lives and dies until it is over; the number of its lives. */
    int run(AtomicBoolean over);

    /** What a right answer says. */
    static String text(String id, int bodyLength) {
        return id + " " + bodyLength + "\n";
    }
}
