package org.lrwp.download.rate;

/** What sends. Called on the rate loop's thread; must return at once. */
@FunctionalInterface
public interface CreditSink {
    /**
     * Gives leave to send. The buckets have been charged; what will not be sent is given back with
     * {@link RateLoop#giveBack}. The flow has to say again what it wants.
     *
     * @param flow whose leave it is
     * @param bytes at least 1
     */
    void granted(Flow flow, long bytes);
}
