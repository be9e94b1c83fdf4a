package org.lrwp.http1;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * Reads the head of one request, in as many pieces as it comes: RFC 9112 sections 2 to 5.
 *
 * <pre>
 *   EMPTY_LINES -> METHOD -> TARGET -> VERSION -> LINE_FEED -> NAME -> BLANKS -> VALUE -> LINE_FEED
 *                                                    NAME at CR -> LAST_LINE_FEED -> DONE
 * </pre>
 *
 * <p>The bytes of a head must lie together: whoever calls keeps what has come, and gives it again
 * with what comes next; each byte is looked at once. Not thread-safe; never blocks.
 */
public final class HeadReader {
    private enum State {
        EMPTY_LINES,
        EMPTY_LINE_FEED,
        METHOD,
        TARGET,
        VERSION,
        LINE_FEED,
        NAME,
        BLANKS,
        VALUE,
        LAST_LINE_FEED,
        DONE
    }

    /** The largest limit of a head: its ranges have 16 bits. */
    public static final int MOST_BYTES = 0xFFFF;

    private static final int VERSION_LENGTH = 8;
    private static final byte[] VERSION_START = {'H', 'T', 'T', 'P', '/'};
    private static final int USUAL_FIELDS = 16;

    /** What a client of TLS begins with: the type of its first record. */
    private static final byte TLS_HANDSHAKE = 22;

    private final int mostBytes;
    private final int mostFields;
    private final HeadFacts facts = new HeadFacts();
    private int[] ranges = new int[2 * USUAL_FIELDS];
    private byte[] known = new byte[USUAL_FIELDS];
    private State state = State.EMPTY_LINES;

    /** From the start of what was given: next byte, first byte of the head, of the present part. */
    private int at;

    private int first;
    private int mark;
    private int fields;
    private int method;
    private int target;

    /**
     * Creates a reader.
     *
     * @param mostBytes limit of a head with its empty lines, 1 to {@link #MOST_BYTES}; above it
     *     431, or 414 when its first line alone is longer; 501 when its method is, 400 when there
     *     are only empty lines
     * @param mostFields limit of its fields, at least 1; above it 431
     */
    public HeadReader(int mostBytes, int mostFields) {
        if (mostBytes < 1 || mostBytes > MOST_BYTES || mostFields < 1) {
            throw new IllegalArgumentException(
                    "limits of a head: " + mostBytes + " bytes, " + mostFields + " fields");
        }
        this.mostBytes = mostBytes;
        this.mostFields = mostFields;
    }

    /** Forgets what was read: the next bytes are those of another request. */
    public void reset() {
        state = State.EMPTY_LINES;
        at = 0;
        first = 0;
        mark = 0;
        fields = 0;
        facts.reset();
    }

    /**
     * Says whether a head has begun.
     *
     * @return false before the first byte, and behind empty lines only
     */
    public boolean isBegun() {
        return state != State.EMPTY_LINES && state != State.EMPTY_LINE_FEED;
    }

    /**
     * Returns how long the head was on the wire.
     *
     * @return bytes that were looked at, with the empty lines before the head and the one behind it
     */
    public int length() {
        return at;
    }

    /**
     * Reads on.
     *
     * @param source holds all bytes since {@link #reset}
     * @param from index of the first of them; may differ from call to call
     * @param to behind the last one
     * @return the head; null when more is needed
     * @throws MalformedRequestException when the request breaks a rule or a limit
     */
    public @Nullable HttpHead read(byte[] source, int from, int to)
            throws MalformedRequestException {
        int end = Math.min(to - from, mostBytes);
        while (at < end) {
            step(source, from, end);
            if (state == State.DONE) {
                return head(source, from);
            }
        }
        if (end == mostBytes) {
            throw tooLong();
        }
        return null;
    }

    private MalformedRequestException tooLong() {
        int status =
                switch (state) {
                    case EMPTY_LINES, EMPTY_LINE_FEED -> 400;
                    case METHOD -> 501;
                    case TARGET, VERSION -> 414;
                    default -> 431;
                };
        return new MalformedRequestException(status, "head above " + mostBytes + " bytes");
    }

    /** Takes at least one byte. */
    private void step(byte[] source, int from, int end) throws MalformedRequestException {
        switch (state) {
            case EMPTY_LINES -> emptyLine(source[from + at]);
            case EMPTY_LINE_FEED -> feed(source[from + at], State.EMPTY_LINES);
            case METHOD -> method(source, from, end);
            case TARGET -> target(source, from, end);
            case VERSION -> version(source, from, end);
            case LINE_FEED -> {
                feed(source[from + at], State.NAME);
                mark = at;
            }
            case NAME -> name(source, from, end);
            case BLANKS -> blanks(source, from, end);
            case VALUE -> value(source, from, end);
            case LAST_LINE_FEED -> feed(source[from + at], State.DONE);
            case DONE -> throw new IllegalStateException("the head has been read: reset first");
        }
    }

    /** RFC 9112 section 2.2: empty lines before a request are ignored. */
    private void emptyLine(byte next) {
        if (next == '\r') {
            state = State.EMPTY_LINE_FEED;
            at++;
        } else {
            state = State.METHOD;
            first = at;
            mark = at;
        }
    }

    private void feed(byte next, State then) throws MalformedRequestException {
        if (next != '\n') {
            throw bad("CR without LF");
        }
        at++;
        state = then;
    }

    // ---- The first line: RFC 9112 section 3.

    private void method(byte[] source, int from, int end) throws MalformedRequestException {
        int i = at;
        while (i < end && Ascii.TOKEN[source[from + i] & 0xFF]) {
            i++;
        }
        at = i;
        if (i < end) {
            if (source[from + i] != ' ' || i == mark) {
                throw bad(
                        i == mark && source[from + i] == TLS_HANDSHAKE
                                ? "TLS on a port that speaks plain HTTP"
                                : "method is not a token");
            }
            method = HttpHead.range(mark - first, i - first);
            nextPart(State.TARGET);
        }
    }

    private void target(byte[] source, int from, int end) throws MalformedRequestException {
        int i = at;
        while (i < end && Ascii.TARGET[source[from + i] & 0xFF]) {
            i++;
        }
        at = i;
        if (i < end) {
            if (source[from + i] != ' ') {
                throw bad("target holds a character that must be encoded");
            }
            if (i == mark) {
                throw bad("no target");
            }
            KnownMethod known = knownMethod(source, from + first);
            if (!Target.isValid(source, from + mark, from + i, known)) {
                throw bad("target is of no form that its method takes");
            }
            target = HttpHead.range(mark - first, i - first);
            nextPart(State.VERSION);
        }
    }

    private @Nullable KnownMethod knownMethod(byte[] source, int start) {
        return KnownMethod.of(source, start + HttpHead.start(method), start + HttpHead.end(method));
    }

    private void version(byte[] source, int from, int end) throws MalformedRequestException {
        at = Math.min(mark + VERSION_LENGTH + 1, end);
        if (at == mark + VERSION_LENGTH + 1) {
            int start = from + mark;
            byte major = source[start + VERSION_START.length];
            byte minor = source[start + VERSION_LENGTH - 1];
            boolean named =
                    Arrays.equals(
                            source,
                            start,
                            start + VERSION_START.length,
                            VERSION_START,
                            0,
                            VERSION_START.length);
            if (!named
                    || !isDigit(major)
                    || source[start + VERSION_LENGTH - 2] != '.'
                    || !isDigit(minor)
                    || source[start + VERSION_LENGTH] != '\r') {
                throw bad("first line does not end with a version of HTTP");
            }
            if (major != '1') {
                throw new MalformedRequestException(505, "version of HTTP other than 1");
            }
            facts.version(minor == '0' ? 0 : 1);
            state = State.LINE_FEED;
        } else if (contains(source, from + mark, from + at)) {
            throw bad("first line does not end with a version of HTTP");
        }
    }

    /** Whether a line ends in a range. */
    private static boolean contains(byte[] source, int from, int to) {
        for (int i = from; i < to; i++) {
            if (source[i] == '\r' || source[i] == '\n') {
                return true;
            }
        }
        return false;
    }

    private static boolean isDigit(byte c) {
        return c >= '0' && c <= '9';
    }

    /** Skips the byte that ended a part. */
    private void nextPart(State next) {
        at++;
        mark = at;
        state = next;
    }

    // ---- Fields: RFC 9112 section 5.

    private void name(byte[] source, int from, int end) throws MalformedRequestException {
        int i = at;
        while (i < end && Ascii.TOKEN[source[from + i] & 0xFF]) {
            i++;
        }
        at = i;
        if (i == end) {
            return;
        }
        byte next = source[from + i];
        if (next == ':' && i > mark) {
            addField(source, from, i);
            nextPart(State.BLANKS);
        } else if (next == '\r' && i == mark) {
            at++;
            state = State.LAST_LINE_FEED;
        } else if (i == mark && Ascii.isBlank(next)) {
            throw bad("a field's line begins with white space");
        } else {
            throw bad("name of a field is not a token");
        }
    }

    private void addField(byte[] source, int from, int end) throws MalformedRequestException {
        if (fields == mostFields) {
            throw new MalformedRequestException(431, "more than " + mostFields + " fields");
        }
        if (fields == known.length) {
            known = Arrays.copyOf(known, 2 * fields);
            ranges = Arrays.copyOf(ranges, 4 * fields);
        }
        KnownField one = KnownField.of(source, from + mark, from + end);
        known[fields] = one == null ? (byte) -1 : (byte) one.number();
        ranges[2 * fields] = HttpHead.range(mark - first, end - first);
        fields++;
    }

    private void blanks(byte[] source, int from, int end) {
        int i = at;
        while (i < end && Ascii.isBlank(source[from + i])) {
            i++;
        }
        at = i;
        if (i < end) {
            mark = i;
            state = State.VALUE;
        }
    }

    private void value(byte[] source, int from, int end) throws MalformedRequestException {
        int i = Ascii.skipValue(source, from + at, from + end) - from;
        at = i;
        if (i == end) {
            return;
        }
        if (source[from + i] != '\r') {
            throw bad("value of a field holds a control character");
        }
        int last = i;
        while (last > mark && Ascii.isBlank(source[from + last - 1])) {
            last--;
        }
        ranges[2 * fields - 1] = HttpHead.range(mark - first, last - first);
        if (known[fields - 1] >= 0) {
            facts.field(KnownField.at(known[fields - 1]), source, from + mark, from + last);
        }
        at++;
        state = State.LINE_FEED;
    }

    // ---- The end.

    private HttpHead head(byte[] source, int from) throws MalformedRequestException {
        return new HttpHead(
                Arrays.copyOfRange(source, from + first, from + at),
                Arrays.copyOf(ranges, 2 * fields),
                Arrays.copyOf(known, fields),
                facts.judge(method, target));
    }

    private static MalformedRequestException bad(String rule) {
        return new MalformedRequestException(400, rule);
    }
}
