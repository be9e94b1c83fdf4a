package org.lrwp.engine.cache;

import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.protocol.HeaderField;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * How long an answer may be used: RFC 9111 section 4.2.
 *
 * @param received when it came, milliseconds of the epoch
 * @param initialAge how old it was then, in milliseconds
 * @param lifetime how long it is fresh, in milliseconds of its age
 */
record Freshness(long received, long initialAge, long lifetime) {
    /** What may be fresh without saying so, when the configuration allows it. */
    static final Set<Integer> HEURISTIC =
            Set.of(200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501);

    private static final long MOST_HEURISTIC = Duration.ofDays(1).toMillis();

    /**
     * Reads the head of an answer.
     *
     * @param asked when the request went out, milliseconds of the epoch
     * @param received when the head came
     * @param heuristic share of the time since it was changed for which an answer is fresh that
     *     does not say; 0 for none
     */
    static Freshness of(AnswerHead head, long asked, long received, double heuristic) {
        List<HeaderField> fields = head.fields();
        long date = Fields.seconds(Fields.all(fields, "Date"), received);
        long apparent = date < 0 ? 0 : Math.max(0, received - date * 1000);
        long told = age(fields) * 1000 + (received - asked);
        return new Freshness(
                received,
                Math.max(apparent, told),
                lifetime(head, received, date < 0 ? received / 1000 : date, heuristic));
    }

    /**
     * Returns the freshness of a stored answer that this answer, a 304, has made valid again: RFC
     * 9111 section 4.3.4. What the 304 does not say about its time the stored answer still says.
     *
     * @param merged the head of the stored answer with the fields of the 304
     * @param validation the head of the 304
     * @param heuristic as in {@link #of}
     */
    Freshness of(AnswerHead merged, AnswerHead validation, double heuristic) {
        long date = Fields.seconds(Fields.all(validation.fields(), "Date"), received);
        long since = date < 0 ? received / 1000 : date;
        return new Freshness(received, initialAge, lifetime(merged, received, since, heuristic));
    }

    /** The first of several: RFC 9111 section 5.1. */
    private static long age(List<HeaderField> fields) {
        List<String> ages = Fields.list(Fields.all(fields, "Age"));
        String age = ages.isEmpty() ? "" : ages.getFirst();
        if (!age.matches("[0-9]+")) {
            return 0;
        }
        return age.length() > 9 ? Directives.MOST : Long.parseLong(age);
    }

    private static long lifetime(AnswerHead head, long received, long date, double heuristic) {
        Directives directives = Directives.ofAnswer(head.fields());
        if (directives.has("no-cache")) {
            return 0;
        }
        for (String name : List.of("s-maxage", "max-age")) {
            if (directives.has(name)) {
                return directives.seconds(name) * 1000;
            }
        }
        if (Directives.isTargeted(head.fields())) {
            return heuristic(head, received, date, heuristic);
        }
        if (Fields.has(head.fields(), "Expires")) {
            long expires = Fields.seconds(Fields.all(head.fields(), "Expires"), received);
            return Math.max(0, expires - date) * 1000;
        }
        return heuristic(head, received, date, heuristic);
    }

    private static long heuristic(AnswerHead head, long received, long date, double heuristic) {
        long changed = Fields.seconds(Fields.all(head.fields(), "Last-Modified"), received);
        if (heuristic <= 0 || changed < 0 || !HEURISTIC.contains(head.status())) {
            return 0;
        }
        return Math.min(MOST_HEURISTIC, (long) (Math.max(0, date - changed) * 1000 * heuristic));
    }
}
