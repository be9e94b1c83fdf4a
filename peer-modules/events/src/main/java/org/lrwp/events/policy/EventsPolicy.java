package org.lrwp.events.policy;

import org.lrwp.events.access.Access;
import org.lrwp.events.channel.ChannelLimits;
import org.lrwp.events.fanout.FanOutLimits;
import org.lrwp.runtime.caller.HostNames;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Values;
import org.lrwp.runtime.operation.SecretFile;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/**
 * What is set now. Immutable.
 *
 * @param access who may do what
 * @param cors which pages may
 * @param channels channels and what they keep
 * @param fanOut how events go out
 * @param admission how many may wait
 * @param requests what a request may hold
 * @param poll how long a poll waits
 * @param demo whether there is a page
 */
public record EventsPolicy(
        Access access,
        Cors cors,
        ChannelLimits channels,
        FanOutLimits fanOut,
        Admission admission,
        Requests requests,
        Poll poll,
        boolean demo) {
    /**
     * How many may wait.
     *
     * @param all in all
     * @param perClient of one client
     * @param perChannel in one channel
     * @param clientHeader what tells clients apart; empty for the address
     */
    public record Admission(int all, int perClient, int perChannel, String clientHeader) {}

    /**
     * What a request may hold.
     *
     * @param channels names at most
     * @param eventBytes bytes of an event at most
     */
    public record Requests(int channels, int eventBytes) {}

    /**
     * How long a poll waits.
     *
     * @param time at least
     * @param jitter up to so much longer
     */
    public record Poll(Duration time, Duration jitter) {}

    /**
     * Reads the policy from what is set; blocks while the secrets are read.
     *
     * @param values all values
     * @return the policy
     * @throws IllegalArgumentException when values do not fit together, or a file cannot be used
     */
    public static EventsPolicy of(Values values) {
        Access access =
                new Access(
                        values.get(EventsKeys.PUBLISH_ACCESS),
                        values.get(EventsKeys.SUBSCRIBE_ACCESS),
                        secret("shared-secret-file", values.get(EventsKeys.SECRET_FILE)),
                        secret("signing-key-file", values.get(EventsKeys.SIGNING_KEY_FILE)),
                        new HostNames(values.get(EventsKeys.LOOPBACK_HOSTS)));
        if (access.asks() && values.get(EventsKeys.ACCESS_URL).isEmpty()) {
            throw new IllegalArgumentException("rule ask needs an access-url");
        }
        return new EventsPolicy(
                access,
                new Cors(Set.copyOf(values.get(EventsKeys.CORS_ORIGINS))),
                channels(values),
                fanOut(values),
                new Admission(
                        values.get(EventsKeys.WAITERS),
                        values.get(EventsKeys.CLIENT_WAITERS),
                        values.get(EventsKeys.CHANNEL_WAITERS),
                        values.get(EventsKeys.CLIENT_HEADER)),
                new Requests(
                        values.get(EventsKeys.REQUEST_CHANNELS),
                        values.get(EventsKeys.EVENT_SIZE).intValue()),
                new Poll(values.get(EventsKeys.POLL_TIME), values.get(EventsKeys.POLL_JITTER)),
                values.get(EventsKeys.DEMO));
    }

    private static ChannelLimits channels(Values values) {
        return new ChannelLimits(
                Set.copyOf(values.get(EventsKeys.CHANNELS)),
                values.get(EventsKeys.MOST_CHANNELS),
                values.get(EventsKeys.RING_EVENTS),
                values.get(EventsKeys.RING_SIZE),
                values.get(EventsKeys.ALL_SIZE),
                values.get(EventsKeys.RING_TIME),
                values.get(EventsKeys.CHANNEL_IDLE),
                values.get(EventsKeys.KEYS),
                values.get(EventsKeys.KEY_TIME));
    }

    private static FanOutLimits fanOut(Values values) {
        return new FanOutLimits(
                values.get(EventsKeys.KEEP_ALIVE),
                values.get(EventsKeys.SLOW_TIME),
                values.get(EventsKeys.RETRY_AFTER),
                values.get(EventsKeys.BATCH_EVENTS),
                values.get(EventsKeys.BATCH_SIZE).intValue());
    }

    private static byte[] secret(String key, String file) {
        if (file.isEmpty()) {
            return new byte[0];
        }
        try {
            return SecretFile.read(key, Path.of(file));
        } catch (BadConfigurationException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
