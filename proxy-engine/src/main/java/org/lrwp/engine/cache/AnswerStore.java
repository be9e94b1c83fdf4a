package org.lrwp.engine.cache;

import org.jspecify.annotations.Nullable;
import org.lrwp.cachemap.CacheMap;
import org.lrwp.engine.request.RequestHead;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Answers in the map. Under the URL stands a note: which fields of a request choose among the
 * answers ({@code Vary}), and a stamp that is part of their keys. Whoever removes the note makes
 * all answers of the URL unreachable. {@code http} and {@code https} share a note and no answer.
 * Any thread.
 */
final class AnswerStore {
    private static final int LONGEST_KEY = 16 << 10;
    private static final Pattern PROTO = Pattern.compile("(?i)(?:^|[;,\\s])proto=\"?([a-z]+)");

    private final CacheMap map;
    private final AtomicLong stamps;

    /**
     * Creates a store.
     *
     * @param map where the answers are; closed by its owner
     * @param stamp a number that no start before has used
     */
    AnswerStore(CacheMap map, long stamp) {
        this.map = map;
        this.stamps = new AtomicLong(stamp);
    }

    /**
     * What is known of a URL.
     *
     * @param stamp part of the keys of its answers
     * @param vary fields of requests that choose among them, in lower case
     */
    private record Note(long stamp, List<String> vary) {
        byte[] encode() {
            return (stamp + "\n" + String.join("\n", vary)).getBytes(StandardCharsets.UTF_8);
        }

        static Note decode(byte[] bytes) {
            String text = new String(bytes, StandardCharsets.UTF_8);
            int end = text.indexOf('\n');
            long stamp = Long.parseLong(text, 0, end, 10);
            boolean varies = end + 1 < text.length();
            return new Note(
                    stamp, varies ? List.of(text.substring(end + 1).split("\n", -1)) : List.of());
        }
    }

    /** Returns the answer for a request, fresh or not; null when there is none. */
    @Nullable StoredAnswer find(String url, RequestHead request) {
        byte[] note = map.get(key('n', url));
        if (note == null) {
            return null;
        }
        byte[] bytes = map.get(answerKey(url, Note.decode(note), request));
        return bytes == null ? null : StoredAnswer.decode(bytes);
    }

    /** Returns what tells requests apart that may not share an answer, as far as is known. */
    String variant(String url, RequestHead request) {
        byte[] note = map.get(key('n', url));
        List<String> vary = note == null ? List.of() : Note.decode(note).vary;
        return url + values(vary, request);
    }

    /**
     * Stores an answer.
     *
     * @return whether it has room
     */
    boolean store(String url, RequestHead request, StoredAnswer answer) {
        List<String> vary =
                Fields.list(Fields.all(answer.fields(), "Vary")).stream()
                        .map(name -> name.toLowerCase(Locale.ROOT))
                        .sorted()
                        .distinct()
                        .toList();
        byte[] known = map.get(key('n', url));
        Note note = known == null ? null : Note.decode(known);
        boolean newNote = note == null || !note.vary.equals(vary);
        if (note == null || newNote) {
            note = new Note(stamps.getAndIncrement(), vary);
        }
        byte[] key = answerKey(url, note, request);
        byte[] bytes = answer.encode();
        if (key.length > LONGEST_KEY || key.length + bytes.length > map.largestValue()) {
            return false;
        }
        map.put(key, ByteBuffer.wrap(bytes), Duration.ZERO);
        if (newNote) {
            map.put(key('n', url), ByteBuffer.wrap(note.encode()), Duration.ZERO);
        }
        map.remove(passKey(url, request));
        return true;
    }

    /** Remembers for a while that the answer to a request like this one cannot be stored. */
    void pass(String url, RequestHead request, Duration time) {
        byte[] key = passKey(url, request);
        if (!time.isZero() && key.length <= LONGEST_KEY) {
            map.put(key, ByteBuffer.allocate(1), time);
        }
    }

    boolean passes(String url, RequestHead request) {
        return map.get(passKey(url, request)) != null;
    }

    /** What one with credentials gets says nothing of what the others get. */
    private static byte[] passKey(String url, RequestHead request) {
        return key(request.first("Authorization") == null ? 'p' : 'q', url);
    }

    /** Forgets a URL; returns whether there was anything. */
    boolean remove(String url) {
        return map.remove(key('n', url));
    }

    /** Forgets all URLs with a prefix; blocks for as long as looking at all keys takes. */
    int removeAll(String prefix) {
        byte[] wanted = prefix.getBytes(StandardCharsets.UTF_8);
        return map.removeKeys(key -> key[0] == 'n' && startsWith(key, wanted));
    }

    private static boolean startsWith(byte[] key, byte[] wanted) {
        if (key.length - 1 < wanted.length) {
            return false;
        }
        for (int i = 0; i < wanted.length; i++) {
            if (key[i + 1] != wanted[i]) {
                return false;
            }
        }
        return true;
    }

    private static byte[] answerKey(String url, Note note, RequestHead request) {
        return key('a', note.stamp + "\n" + url + values(note.vary, request));
    }

    private static String values(List<String> names, RequestHead request) {
        StringBuilder values = new StringBuilder("\n").append(scheme(request));
        for (String name : names) {
            String value = Fields.all(request.fields(), name);
            values.append(value == null ? "\n-" : "\n=" + value);
        }
        return values.toString();
    }

    /** A peer may send those to https who come without it. */
    private static String scheme(RequestHead request) {
        String told = request.first("X-Forwarded-Proto");
        String forwarded = told == null ? request.first("Forwarded") : null;
        if (forwarded != null) {
            Matcher proto = PROTO.matcher(forwarded);
            told = proto.find() ? proto.group(1) : null;
        }
        String own = request.connection().secure() ? "https" : "http";
        return told == null ? own : own + " " + told.toLowerCase(Locale.ROOT);
    }

    private static byte[] key(char kind, String text) {
        return (kind + text).getBytes(StandardCharsets.UTF_8);
    }
}
