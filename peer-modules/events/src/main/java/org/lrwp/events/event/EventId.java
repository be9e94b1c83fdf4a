package org.lrwp.events.event;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of an event, written {@code epoch.sequence}, in a cluster {@code epoch.sequence@seen}.
 * Sequences are those of the whole module, so that one identifier is a position in all channels.
 *
 * @param epoch which run of the module has made it, at least 0
 * @param sequence its place among all events, from 1 on; 0 is before the first
 * @param seen in a cluster, how far a client is that has it, as {@link Seen} writes it; else empty
 */
public record EventId(long epoch, long sequence, String seen) {
    private static final Pattern WRITTEN =
            Pattern.compile("([0-9]{1,18})\\.([0-9]{1,18})(?:@([A-Za-z0-9_.,-]{1,16000}))?");

    /**
     * The name of an event of one module alone.
     *
     * @param epoch which run of the module has made it
     * @param sequence its place among all events
     */
    public EventId(long epoch, long sequence) {
        this(epoch, sequence, "");
    }

    /** Checks the numbers. */
    public EventId {
        if (epoch < 0 || sequence < 0) {
            throw new IllegalArgumentException("no event: " + epoch + "." + sequence);
        }
    }

    /**
     * Reads an identifier.
     *
     * @param text as {@link #toString} writes it
     * @return the identifier
     * @throws IllegalArgumentException when it is none
     */
    public static EventId parse(String text) {
        Matcher matcher = WRITTEN.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not the id of an event: " + shown(text));
        }
        String seen = matcher.group(3);
        return new EventId(
                Long.parseLong(matcher.group(1)),
                Long.parseLong(matcher.group(2)),
                seen == null ? "" : seen);
    }

    /** What clients sent stands in answers and logs: short, and nothing but printable ASCII. */
    private static String shown(String text) {
        String printable = text.replaceAll("[^ -~]", "?");
        return printable.length() > 60 ? printable.substring(0, 60) + "..." : printable;
    }

    @Override
    public String toString() {
        return epoch + "." + sequence + (seen.isEmpty() ? "" : "@" + seen);
    }
}
