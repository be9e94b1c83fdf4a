package org.lrwp.download;

import java.util.concurrent.atomic.LongAdder;

/** What a module counts. Thread-safe. */
final class Counters {
    final LongAdder lent = new LongAdder();
    final LongAdder bytes = new LongAdder();
    final LongAdder answers = new LongAdder();
    final LongAdder unchanged = new LongAdder();
    final LongAdder missing = new LongAdder();
    final LongAdder banned = new LongAdder();
    final LongAdder tooMany = new LongAdder();
    final LongAdder left = new LongAdder();
    final LongAdder failed = new LongAdder();
}
