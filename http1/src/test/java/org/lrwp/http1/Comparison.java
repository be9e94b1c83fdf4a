package org.lrwp.http1;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * Where two readings of one connection part.
 *
 * @param reader name of the other
 * @param what in which way
 * @param rule what this module says when it refuses; {@link Conversation#MORE} when it waits
 * @param refused the byte it refuses; -1 when it refuses none
 * @param ours the request in question as this module reads it; null when it does not
 * @param theirs as the other reads it; null when it does not
 * @param text from the begin of that request on, one character per byte
 */
record Comparison(
        String reader,
        What what,
        String rule,
        int refused,
        @Nullable Message ours,
        @Nullable Message theirs,
        String text) {
    enum What {
        /** The other accepts what this module refuses. */
        LENIENT,
        /** The other refuses what this module accepts. */
        STRICT,
        /** Both accept, and read something else. */
        DIFFERENT,
        /** Only one of them has come to an end yet. */
        LATER
    }

    /** Compares; null when both read the same. */
    static @Nullable Comparison of(String text, OtherReader other) {
        byte[] bytes = Requests.bytes(text);
        Conversation ours = Conversation.read(bytes);
        List<Message> messages = new ArrayList<>(ours.messages());
        if (ours.begun() != null) {
            messages.add(ours.begun());
        }
        OtherReader.Reading theirs = other.read(bytes);
        int i = 0;
        while (i < ours.messages().size()
                && i < theirs.whole()
                && messages.get(i).equals(theirs.messages().get(i))) {
            i++;
        }
        Message our = i < messages.size() ? messages.get(i) : null;
        Message their = i < theirs.messages().size() ? theirs.messages().get(i) : null;
        boolean waits = ours.end().equals(Conversation.MORE);
        What what =
                what(
                        new Side(our, i < ours.messages().size(), !waits),
                        new Side(their, i < theirs.whole(), theirs.refused()));
        int begin = i == 0 ? 0 : ours.ends().get(i - 1);
        if (what == null) {
            return null;
        }
        int at = Conversation.refusedAt(bytes);
        // The other may just not have looked at the last byte yet.
        boolean undecided = what == What.LENIENT && at == bytes.length - 1 && i == theirs.whole();
        int refused = at < 0 ? -1 : bytes[at] & 0xFF;
        String rest = text.substring(begin);
        return undecided
                ? null
                : new Comparison(other.name(), what, ours.end(), refused, our, their, rest);
    }

    /** One of both at the request where they part. */
    private record Side(@Nullable Message message, boolean whole, boolean refused) {}

    private static @Nullable What what(Side ours, Side theirs) {
        Message our = ours.message;
        Message their = theirs.message;
        if (our != null && their != null) {
            boolean both = ours.whole && theirs.whole;
            if (both ? !our.equals(their) : !our.withBody("").equals(their.withBody(""))) {
                return What.DIFFERENT;
            }
        }
        int ourPart = progress(ours);
        int theirPart = progress(theirs);
        if (ourPart == theirPart) {
            return ours.refused == theirs.refused || ourPart == 2 ? null : later(ours);
        }
        if (ourPart > theirPart) {
            return theirs.refused ? What.STRICT : What.LATER;
        }
        return ours.refused ? What.LENIENT : What.LATER;
    }

    private static What later(Side ours) {
        return ours.refused ? What.LENIENT : What.STRICT;
    }

    /** 0 before the head is accepted, 1 before the body is whole, 2 behind it. */
    private static int progress(Side side) {
        return side.message == null ? 0 : side.whole ? 2 : 1;
    }
}
