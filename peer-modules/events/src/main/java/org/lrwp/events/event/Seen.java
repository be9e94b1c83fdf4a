package org.lrwp.events.event;

import org.lrwp.runtime.module.Neighbours.Origin;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How far a client has seen the events of each node of a cluster, written {@code
 * NODE.EPOCH.NUMBER,...}. It holds at all nodes, though each has the events in an order of its own.
 *
 * @param parts at least one; the first is that of the node that has written it
 */
public record Seen(List<Part> parts) {
    /** More are not read. */
    public static final int MOST_PARTS = 128;

    private static final int EPOCH_BASE = 36;
    private static final Pattern WRITTEN =
            Pattern.compile("([A-Za-z0-9_-]{1,64})\\.([0-9a-z]{1,12})\\.([0-9]{1,18})");

    /**
     * An event, as all nodes name it.
     *
     * @param origin where it was published
     * @param number its place among all that was published there, from 1 on
     */
    public record Part(Origin origin, long number) {
        @Override
        public String toString() {
            String epoch = Long.toString(origin.epoch(), EPOCH_BASE);
            return origin.node() + "." + epoch + "." + number;
        }
    }

    /** Copies the list. */
    public Seen {
        parts = List.copyOf(parts);
        if (parts.isEmpty() || parts.size() > MOST_PARTS) {
            throw new IllegalArgumentException(parts.size() + " nodes in the id of an event");
        }
    }

    /**
     * Reads it.
     *
     * @param text as {@link #toString} writes it
     * @return how far
     * @throws IllegalArgumentException when it is none
     */
    public static Seen parse(String text) {
        List<Part> parts = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            Matcher matcher = WRITTEN.matcher(part);
            if (!matcher.matches()) {
                throw new IllegalArgumentException("not the id of an event");
            }
            var origin = new Origin(matcher.group(1), Long.parseLong(matcher.group(2), EPOCH_BASE));
            parts.add(new Part(origin, Long.parseLong(matcher.group(3))));
        }
        return new Seen(parts);
    }

    /**
     * Returns who has written it.
     *
     * @return the node at which the client was
     */
    public Origin writer() {
        return parts.getFirst().origin();
    }

    /**
     * Says how far it is with the events of one node.
     *
     * @param origin the node
     * @return the number of the last one that was seen; 0 for none
     */
    public long number(Origin origin) {
        for (Part part : parts) {
            if (part.origin().equals(origin)) {
                return part.number();
            }
        }
        return 0;
    }

    /**
     * Says whether an event was seen.
     *
     * @param event its name
     * @return whether it was
     */
    public boolean has(Part event) {
        return number(event.origin()) >= event.number();
    }

    /**
     * Adds what a client has that has also something of this.
     *
     * @param id an event that it gets, or where it is
     * @return the same, with both in its name
     */
    public EventId in(EventId id) {
        if (id.seen().isEmpty()) {
            return id;
        }
        Seen there = parse(id.seen());
        List<Part> all = new ArrayList<>();
        for (Part part : there.parts) {
            all.add(new Part(part.origin(), Math.max(part.number(), number(part.origin()))));
        }
        for (Part part : parts) {
            if (there.number(part.origin()) == 0 && all.size() < MOST_PARTS) {
                all.add(part);
            }
        }
        all.removeIf(part -> part.number() == 0 && !part.origin().equals(there.writer()));
        return new EventId(id.epoch(), id.sequence(), new Seen(all).toString());
    }

    @Override
    public String toString() {
        return parts.stream().map(Part::toString).collect(Collectors.joining(","));
    }
}
