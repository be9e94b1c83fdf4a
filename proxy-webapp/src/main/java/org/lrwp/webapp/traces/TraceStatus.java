package org.lrwp.webapp.traces;

/**
 * What has become of the spans so far.
 *
 * @param sent the collector has them
 * @param dropped too many waited
 * @param failed the collector has not taken them
 */
public record TraceStatus(long sent, long dropped, long failed) {
    /** There are no spans. */
    public static final TraceStatus NONE = new TraceStatus(0, 0, 0);
}
