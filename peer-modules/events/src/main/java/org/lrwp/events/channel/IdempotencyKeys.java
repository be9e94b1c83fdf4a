package org.lrwp.events.channel;

import org.jspecify.annotations.Nullable;
import org.lrwp.events.event.EventData;
import org.lrwp.events.event.EventId;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** Which keys were used lately, and for what. Not thread-safe. */
final class IdempotencyKeys {
    /**
     * A use of a key.
     *
     * @param channels for which channels
     * @param digest of the data, to tell a repetition from another event
     * @param id what was published
     * @param nanos when
     */
    record Use(String channels, long digest, EventId id, long nanos) {}

    private final Map<String, Use> uses = new LinkedHashMap<>();

    /** The use of the draft's key; null when it is free. */
    @Nullable Use of(Draft draft, long now, Duration time) {
        drop(now, time);
        return draft.key().isEmpty() ? null : uses.get(draft.key());
    }

    void add(Draft draft, EventId id, long now, int most) {
        if (draft.key().isEmpty() || most == 0) {
            return;
        }
        if (uses.size() >= most) {
            Iterator<Use> oldest = uses.values().iterator();
            oldest.next();
            oldest.remove();
        }
        uses.put(draft.key(), new Use(names(draft), digest(draft), id, now));
    }

    private void drop(long now, Duration time) {
        Iterator<Use> oldest = uses.values().iterator();
        while (oldest.hasNext() && now - oldest.next().nanos() >= time.toNanos()) {
            oldest.remove();
        }
    }

    static boolean isSame(Use use, Draft draft) {
        return use.channels().equals(names(draft)) && use.digest() == digest(draft);
    }

    private static String names(Draft draft) {
        return String.join(",", draft.channels());
    }

    /** 64 bits tell apart what one publisher sends with one key; nobody gains by a collision. */
    private static long digest(Draft draft) {
        String text = draft.data().text();
        long digest = draft.data().kind() == EventData.Kind.JSON ? 1 : 0;
        for (int i = 0; i < text.length(); i++) {
            digest = digest * 1_099_511_628_211L + text.charAt(i);
        }
        return digest;
    }
}
