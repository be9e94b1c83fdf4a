import org.lrwp.download.rate.Flow;
import org.lrwp.download.rate.Group;
import org.lrwp.download.rate.Limit;
import org.lrwp.download.rate.Quota;
import org.lrwp.download.rate.RateTree;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * The rates alone, no bytes moved: FLOWS RATE BURST_MS WARM_SECONDS SECONDS. Prints the share of a
 * core that the thread took.
 */
public final class SchedulerLoad {
    private static final Duration TICK = Duration.ofMillis(10);
    private static long bytes;
    private static long grants;

    private SchedulerLoad() {}

    public static void main(String[] arguments) {
        int flows = Integer.parseInt(arguments[0]);
        Limit limit =
                new Limit(
                        Long.parseLong(arguments[1]),
                        Duration.ofMillis(Long.parseLong(arguments[2])));
        double warm = Double.parseDouble(arguments[3]);
        double seconds = Double.parseDouble(arguments[4]);
        RateTree tree = new RateTree(Limit.NONE, System.nanoTime());
        Group all = tree.group(tree.root(), "default", Quota.of(Limit.NONE), 1);
        long begin = System.nanoTime();
        long gap = limit.burst().toNanos() / flows;
        for (int i = 0; i < flows; i++) {
            Flow flow = new Flow((mine, count) -> sent(tree, mine, count));
            // Spread over a burst, as downloads do not all begin at once.
            tree.advance(begin + i * gap, () -> {});
            tree.join(flow, tree.group(all, "c" + i, Quota.of(Limit.NONE), 1), limit);
            tree.want(flow, 1 << 20);
        }
        run(tree, begin + limit.burst().toNanos(), warm);
        bytes = 0;
        grants = 0;
        long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        double passed = run(tree, System.nanoTime(), seconds);
        cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu;
        System.out.printf(
                "flows=%d core=%.3f wakeups=%.0f rate=%.4f%n",
                flows, cpu / 1e7 / passed, grants / passed, bytes / passed / flows / limit.rate());
    }

    private static void sent(RateTree tree, Flow flow, long count) {
        bytes += count;
        grants++;
        tree.want(flow, 1 << 20);
    }

    private static double run(RateTree tree, long from, double seconds) {
        long begin = System.nanoTime();
        long end = begin + (long) (seconds * 1e9);
        while (System.nanoTime() < end) {
            tree.advance(Math.max(from, System.nanoTime()), () -> {});
            LockSupport.parkNanos(TICK.toNanos());
        }
        return (System.nanoTime() - begin) / 1e9;
    }
}
