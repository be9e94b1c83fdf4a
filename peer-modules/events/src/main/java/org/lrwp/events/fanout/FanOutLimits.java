package org.lrwp.events.fanout;

import java.time.Duration;

/**
 * How long things last and how much goes out at once.
 *
 * @param keepAlive after what silence a stream gets a sign of life
 * @param slowTime how long a client of a stream may take nothing before it is cut
 * @param retryAfter when clients that were sent away shall come again; they are told one to two
 *     times that, so that they do not come together
 * @param batchEvents events in one answer or write at most
 * @param batchBytes bytes in one answer or write, about
 */
public record FanOutLimits(
        Duration keepAlive,
        Duration slowTime,
        Duration retryAfter,
        int batchEvents,
        int batchBytes) {}
