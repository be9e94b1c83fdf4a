package org.lrwp.osp.authorisation;

import java.time.Duration;

/**
 * How long authorisations count.
 *
 * @param before tokens count from so long ago: clocks of gateways go wrong by minutes
 * @param valid tokens count for so long from now
 * @param skew a token shown to this server may be out of its time by so much
 * @param call how long an authorised call may last, in seconds, 1 or more
 */
public record TokenTimes(Duration before, Duration valid, Duration skew, int call) {
    /** From 5 minutes ago for 10 minutes, a minute of skew, calls of 4 hours. */
    public static final TokenTimes USUAL =
            new TokenTimes(
                    Duration.ofMinutes(5), Duration.ofMinutes(10), Duration.ofMinutes(1), 14_400);
}
