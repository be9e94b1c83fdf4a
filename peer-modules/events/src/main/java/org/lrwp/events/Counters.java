package org.lrwp.events;

import java.util.concurrent.atomic.LongAdder;

/** What the requests of a module come to. Thread-safe. */
final class Counters {
    final LongAdder published = new LongAdder();
    final LongAdder heard = new LongAdder();
    final LongAdder repeated = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder full = new LongAdder();
}
