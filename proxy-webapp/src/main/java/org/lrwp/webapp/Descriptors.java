package org.lrwp.webapp;

import com.sun.management.UnixOperatingSystemMXBean;

import org.lrwp.engine.EngineConfig;

import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;

/** Compares the file descriptors that limits may need with those that there are. */
final class Descriptors {
    private static final System.Logger LOG = System.getLogger(Descriptors.class.getName());

    /** What container and JVM have open beside connections. */
    private static final int OWN = 500;

    private Descriptors() {}

    static void check(EngineConfig config) {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean os) {
            warn(os.getMaxFileDescriptorCount(), config);
        }
    }

    /** One for each peer and one for each client; bodies in files are few beside them. */
    static boolean warn(long available, EngineConfig config) {
        long needed = OWN + config.agent().limits().connections() + (long) config.maxExchanges();
        boolean tooFew = available < needed;
        if (tooFew) {
            LOG.log(
                    Level.WARNING,
                    "descriptors-few available={0} needed={1} hint=\"raise the limit (ulimit -n),"
                            + " or lower agent.max-peers and request.max-exchanges\"",
                    Long.toString(available),
                    Long.toString(needed));
        }
        return tooFew;
    }
}
