package org.lrwp.systemtests.harness;

import java.io.IOException;
import java.time.Duration;

/** What a server at rest holds of the machine. */
public final class Footprint {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final int descriptors;
    private final int threads;

    private Footprint(int descriptors, int threads) {
        this.descriptors = descriptors;
        this.threads = threads;
    }

    /** Looks now. */
    public static Footprint of(ProxyProcess proxy) throws IOException {
        return new Footprint(proxy.descriptors(), proxy.threads());
    }

    /** Threads that are always there. */
    public int threads() {
        return threads;
    }

    /** Requires a server to hold no more than this, soon. */
    public void requireSame(ProxyProcess proxy) throws Exception {
        boolean same =
                Wait.until(
                        PATIENCE,
                        () ->
                                proxy.descriptors() <= descriptors
                                        && proxy.threads() <= threads
                                        && proxy.spoolFiles().isEmpty());
        if (!same) {
            throw new AssertionError(
                    "was %s, is %s, temporary files %s, threads %s"
                            .formatted(this, of(proxy), proxy.spoolFiles(), proxy.threadNames()));
        }
    }

    @Override
    public String toString() {
        return descriptors + " descriptors and " + threads + " threads";
    }
}
