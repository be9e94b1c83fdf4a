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

/**
 * Answers in the map. Under the URL stands a note: which fields of a request choose among the
 * answers ({@code Vary}), and a stamp that is part of their keys. Whoever removes the note makes
 * all answers of the URL unreachable. {@code http} and {@code https} share a note and no answer.
 * Any thread.
 */
final class AnswerStore {
    private static final int LONGEST_KEY = 16 << 10;

    private final CacheMap map;
    private final PeerFields fields;
    private final AtomicLong stamps;

    /**
     * Creates a store.
     *
     * @param map where the answers are; closed by its owner
     * @param fields what of a request an answer can depend on
     * @param stamp a number that no start before has used
     */
    AnswerStore(CacheMap map, PeerFields fields, long stamp) {
        this.map = map;
        this.fields = fields;
        this.stamps = new AtomicLong(stamp);
    }

    /**
     * What is known of a URL.
     *
     * @param stamp part of the keys of its answers
     * @param owner whose context the answers are from
     * @param vary fields of requests that choose among them, in lower case
     */
    private record Note(long stamp, String owner, List<String> vary) {
        byte[] encode() {
            return (stamp + "\n" + owner + "\n" + String.join("\n", vary))
                    .getBytes(StandardCharsets.UTF_8);
        }

        static Note decode(byte[] bytes) {
            String text = new String(bytes, StandardCharsets.UTF_8);
            String[] lines = text.split("\n", -1);
            // Files of before the owners have none: their answers are nobody's.
            String owner = lines.length < 3 ? "" : lines[1];
            boolean varies = lines.length > 2 && !lines[2].isEmpty();
            return new Note(
                    Long.parseLong(lines[0]),
                    owner,
                    varies ? List.of(lines).subList(2, lines.length) : List.of());
        }
    }

    /** Returns the answer of an owner for a request, fresh or not; null when there is none. */
    @Nullable StoredAnswer find(String url, String owner, RequestHead request) {
        Note note = note(url, owner);
        byte[] bytes = note == null ? null : map.get(answerKey(url, note, request));
        return bytes == null ? null : StoredAnswer.decode(bytes);
    }

    /** What an owner has of a URL: that of another is as if it were not there. */
    private @Nullable Note note(String url, String owner) {
        byte[] bytes = map.get(key('n', url));
        Note note = bytes == null ? null : Note.decode(bytes);
        return note != null && note.owner.equals(owner) ? note : null;
    }

    /** Whether fields of a request choose among the answers that an owner has of a URL. */
    boolean varies(String url, String owner) {
        Note note = note(url, owner);
        return note != null && !note.vary.isEmpty();
    }

    /** Returns what tells requests apart that may not share an answer, as far as is known. */
    String variant(String url, String owner, RequestHead request) {
        Note note = note(url, owner);
        List<String> vary = note == null ? List.of() : note.vary;
        return owner + "\n" + url + values(vary, request);
    }

    /**
     * Stores an answer; those of another owner are unreachable from then on.
     *
     * @return whether it has room
     */
    boolean store(String url, String owner, RequestHead request, StoredAnswer answer) {
        List<String> vary = vary(answer);
        Note note = note(url, owner);
        boolean newNote = note == null || !note.vary.equals(vary);
        if (note == null || newNote) {
            note = new Note(stamps.getAndIncrement(), owner, vary);
        }
        byte[] key = answerKey(url, note, request);
        byte[] bytes = answer.encode();
        byte[] noteKey = key('n', url);
        byte[] noted = note.encode();
        if (!fits(key, bytes.length) || !fits(noteKey, noted.length)) {
            return false;
        }
        map.put(key, ByteBuffer.wrap(bytes), Duration.ZERO);
        if (newNote) {
            map.put(noteKey, ByteBuffer.wrap(noted), Duration.ZERO);
        }
        map.remove(passKey(url, request));
        return true;
    }

    /**
     * Says whether an answer will have room, when only its head has come.
     *
     * @param head without its bytes
     * @param length how many there will be
     */
    boolean hasRoom(String url, String owner, RequestHead request, StoredAnswer head, long length) {
        Note note = new Note(stamps.get(), owner, vary(head));
        return fits(answerKey(url, note, request), head.encode().length + length)
                && fits(key('n', url), note.encode().length);
    }

    private static List<String> vary(StoredAnswer answer) {
        return Fields.list(Fields.all(answer.fields(), "Vary")).stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .sorted()
                .distinct()
                .toList();
    }

    /** In a small map the largest value, with its key, can be shorter than the longest key. */
    private boolean fits(byte[] key, long length) {
        return key.length <= LONGEST_KEY && key.length + length <= map.largestValue();
    }

    /** Remembers for a while that the answer to a request like this one cannot be stored. */
    void pass(String url, RequestHead request, Duration time) {
        byte[] key = passKey(url, request);
        if (!time.isZero() && fits(key, 1)) {
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

    private byte[] answerKey(String url, Note note, RequestHead request) {
        return key('a', note.stamp + "\n" + url + values(note.vary, request));
    }

    private String values(List<String> names, RequestHead request) {
        StringBuilder values = new StringBuilder("\n").append(fields.scheme(request));
        for (String name : names) {
            String value = fields.value(request, name);
            values.append(value == null ? "\n-" : "\n=" + value);
        }
        return values.toString();
    }

    private static byte[] key(char kind, String text) {
        return (kind + text).getBytes(StandardCharsets.UTF_8);
    }
}
