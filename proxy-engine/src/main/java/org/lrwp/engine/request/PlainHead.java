package org.lrwp.engine.request;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A request's head that can be read in one way only, with its octets: whole, of HTTP/1.1 or 1.0,
 * with a path that needs no decoding, and nothing to be agreed on but that a body may come. What is
 * not plain may be right all the same, but is for a reader that knows all of HTTP. Immutable;
 * source: RFC 9112.
 */
public final class PlainHead {
    private static final int MOST_OCTETS = 8192;
    private static final int MOST_FIELDS = 64;
    private static final Set<String> PROTOCOLS = Set.of("HTTP/1.1", "HTTP/1.0");
    private static final String LINE_END = "\r\n";
    private static final String EXPECT = "Expect";
    private static final int SHORTEST = 4;

    /** Fields that want more than an answer. */
    private static final Set<String> AGREEMENTS =
            Set.of("transfer-encoding", "upgrade", "http2-settings");

    private static final Set<String> NEVER_PLAIN = Set.of("CONNECT", "TRACE");
    private static final Set<String> WITHOUT_BODY = Set.of("GET", "HEAD", "DELETE");

    private final RequestHead head;
    private final ByteBuffer octets;
    private final boolean expectsContinue;

    private PlainHead(RequestHead head, byte[] octets) {
        this.head = head;
        this.expectsContinue = head.first(EXPECT) != null;
        this.octets = ByteBuffer.wrap(octets).asReadOnlyBuffer();
    }

    /**
     * Reads a head from the position of a buffer, which stays where it is.
     *
     * @param source octets of a connection, from the first of a request
     * @param ends of the connection
     * @return null when it is not plain, not whole, longer than 8 KiB, or breaks a rule
     */
    public static @Nullable PlainHead read(ByteBuffer source, ClientConnection ends) {
        int length = length(source);
        if (length == 0) {
            return null;
        }
        byte[] octets = new byte[length];
        source.get(source.position(), octets);
        try {
            RequestHead head = parse(new String(octets, StandardCharsets.ISO_8859_1), ends);
            return head == null ? null : new PlainHead(head, octets);
        } catch (BadRequestException e) {
            // Who reads it next finds that too, and answers.
            return null;
        }
    }

    /** Octets up to the empty line, and with it; 0 when it is not there. */
    private static int length(ByteBuffer source) {
        int start = source.position();
        int end = Math.min(source.limit(), start + MOST_OCTETS);
        for (int i = start + SHORTEST - 1; i < end; i++) {
            if (source.get(i) == '\n'
                    && source.get(i - 1) == '\r'
                    && source.get(i - 2) == '\n'
                    && source.get(i - 3) == '\r') {
                return i + 1 - start;
            }
        }
        return 0;
    }

    /**
     * Says whether a plain head may have begun, so that its rest has to be waited for.
     *
     * @param source octets of a connection, from the first of a request
     * @return whether they are less than a head, and nothing in them is for another reader
     */
    public static boolean isBegun(ByteBuffer source) {
        int start = source.position();
        int end = source.limit();
        if (end - start >= MOST_OCTETS || length(source) > 0) {
            return false;
        }
        for (int i = start; i < end; i++) {
            byte octet = source.get(i);
            boolean lineEnds = i > start && source.get(i - 1) == '\r';
            // A line ends with both octets, and with nothing else; a head begins with a word.
            if ((octet == '\n') != lineEnds || (i == start && !Character.isLetter(octet))) {
                return false;
            }
        }
        return true;
    }

    private static @Nullable RequestHead parse(String text, ClientConnection ends)
            throws BadRequestException {
        int end = text.indexOf(LINE_END);
        RequestHead.Draft draft = firstLine(text.substring(0, end), ends);
        if (draft == null) {
            return null;
        }
        int at = end + LINE_END.length();
        for (int fields = 0; at < text.length() - LINE_END.length(); fields++) {
            end = text.indexOf(LINE_END, at);
            if (fields == MOST_FIELDS || !field(text, at, end, draft)) {
                return null;
            }
            at = end + LINE_END.length();
        }
        RequestHead head = draft.check();
        boolean plain = head.bodyLength() == 0 || !WITHOUT_BODY.contains(head.method());
        return plain && expectsNothingElse(head) ? head : null;
    }

    /** Whether a client that waits before its body waits for what all can say, and knows it. */
    private static boolean expectsNothingElse(RequestHead head) {
        List<String> expected = head.values(EXPECT);
        return expected.isEmpty()
                || (expected.size() == 1
                        && expected.getFirst().equalsIgnoreCase("100-continue")
                        && head.protocol().equals("HTTP/1.1"));
    }

    private static RequestHead.@Nullable Draft firstLine(String line, ClientConnection ends) {
        int first = line.indexOf(' ');
        int last = line.lastIndexOf(' ');
        String protocol = line.substring(last + 1);
        if (first < 0 || first == last || !PROTOCOLS.contains(protocol)) {
            return null;
        }
        String method = line.substring(0, first);
        String target = line.substring(first + 1, last);
        if (NEVER_PLAIN.contains(method) || !isPlainTarget(target)) {
            return null;
        }
        return new RequestHead.Draft(method, target, protocol, ends);
    }

    private static boolean isPlainTarget(String target) {
        int query = target.indexOf('?');
        return isPlainPath(query < 0 ? target : target.substring(0, query));
    }

    /** Adds a field to the head; false when it wants more than an answer, or is no field. */
    private static boolean field(String text, int at, int end, RequestHead.Draft draft)
            throws BadRequestException {
        int colon = text.indexOf(':', at);
        if (colon < 0 || colon > end) {
            return false;
        }
        String name = text.substring(at, colon);
        int from = colon + 1;
        int to = end;
        while (from < to && isBlank(text.charAt(from))) {
            from++;
        }
        while (to > from && isBlank(text.charAt(to - 1))) {
            to--;
        }
        draft.field(name, text.substring(from, to));
        return !AGREEMENTS.contains(name.toLowerCase(Locale.ROOT));
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    /**
     * Says whether a path is the same before and after decoding.
     *
     * @param path as it was sent, without query
     * @return whether it starts with a slash and holds nothing that has to be decoded or resolved
     */
    public static boolean isPlainPath(String path) {
        return path.startsWith("/")
                && path.indexOf('%') < 0
                && path.indexOf(';') < 0
                && path.indexOf('\\') < 0
                && !path.contains("//")
                && !path.contains("/.");
    }

    /**
     * Returns what was read.
     *
     * @return the checked head
     */
    public RequestHead head() {
        return head;
    }

    /**
     * Returns how long the head is on the wire.
     *
     * @return octets, with the empty line
     */
    public int length() {
        return octets.remaining();
    }

    /**
     * Says whether the client may wait with the body until it is told to go on.
     *
     * @return whether it is to be told {@code 100 Continue}
     */
    public boolean expectsContinue() {
        return expectsContinue;
    }

    /**
     * Says whether the same octets come again, so that the head is the same too.
     *
     * @param source octets of the same connection, from the first of a request
     * @return whether it begins with this head
     */
    public boolean isAtStartOf(ByteBuffer source) {
        int same = octets.mismatch(source);
        return same == length() || (same < 0 && source.hasRemaining());
    }

    /**
     * Reads a head that differs from this one in its target only, as a client's next one often
     * does: the fields are not read and checked again.
     *
     * @param source octets of the same connection, from the first of a request
     * @return null when it differs in more, is not plain, or not whole
     */
    public @Nullable PlainHead withTargetOf(ByteBuffer source) {
        int from = head.method().length() + 1;
        int behind = from + head.target().raw().length();
        int rest = length() - behind;
        int to = from;
        while (to < source.remaining() && source.get(source.position() + to) != ' ') {
            to++;
        }
        if (to + rest > Math.min(source.remaining(), MOST_OCTETS)
                || !isPart(0, source, 0, from)
                || !isPart(behind, source, to, rest)) {
            return null;
        }
        byte[] same = new byte[to + rest];
        source.get(source.position(), same);
        try {
            String target = new String(same, from, to - from, StandardCharsets.ISO_8859_1);
            RequestHead other = isPlainTarget(target) ? head.withTarget(target) : null;
            return other == null ? null : new PlainHead(other, same);
        } catch (BadRequestException e) {
            return null;
        }
    }

    private boolean isPart(int at, ByteBuffer source, int sourceAt, int count) {
        return octets.slice(at, count).equals(source.slice(source.position() + sourceAt, count));
    }
}
