package org.lrwp.bench.osp;

import com.sun.management.OperatingSystemMXBean;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/** Processor time of this whole process, its collector and compiler included. */
final class Meter {
    private static final double NANOS_A_MICRO = 1_000;

    private final OperatingSystemMXBean system =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final long cpu = system.getProcessCpuTime();
    private final long begin = System.nanoTime();

    /** Says what was used since the meter was made. */
    String read(String what, long count) {
        double micros = (system.getProcessCpuTime() - cpu) / NANOS_A_MICRO;
        double seconds = (System.nanoTime() - begin) / (double) TimeUnit.SECONDS.toNanos(1);
        return "bench %s count=%d cpu-micros=%.3f seconds=%.3f"
                .formatted(what, count, micros / Math.max(1, count), seconds);
    }

    /** How long work is done unmeasured, and then measured; seconds. */
    record Spans(double warm, double measured) {}

    /** Does work for a time: to warm up, then to measure. */
    static void measure(String what, Spans spans, Work work) throws Exception {
        repeat(spans.warm(), work);
        Meter meter = new Meter();
        long count = repeat(spans.measured(), work);
        System.out.println(meter.read(what, count));
    }

    static long repeat(double seconds, Work work) throws Exception {
        long end = System.nanoTime() + (long) (seconds * TimeUnit.SECONDS.toNanos(1));
        long count = 0;
        while (System.nanoTime() - end < 0) {
            count += work.some();
        }
        return count;
    }
}
