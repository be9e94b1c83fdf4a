package org.lrwp.http1;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The head of a request that breaks no rule: ranges in one array of bytes. Texts are made when
 * somebody asks for them. Immutable; any thread.
 */
public final class HttpHead {
    private static final int NO_FIELD = -1;
    private static final byte UNKNOWN = -1;

    private final byte[] bytes;

    /** For each field two numbers: name and value, each as start and end of 16 bits. */
    private final int[] ranges;

    private final byte[] known;
    private final int method;
    private final int target;
    private final byte minorVersion;
    private final Framing framing;
    private final long bodyLength;
    private final boolean lasting;

    /** A bit for each known name that is there; two names may share one. */
    private final long present;

    /** False when all names differ for certain: of known names by number, of others by length. */
    private final boolean repeating;

    /**
     * What the reader has found out about a head.
     *
     * @param method range of the method
     * @param target range of the target
     * @param minorVersion 0 or 1
     * @param framing how the end of the body is found
     * @param bodyLength bytes of the body; 0 = none; -1 = its end alone will tell
     * @param lasting whether the connection may go on after this request
     */
    record Facts(
            int method,
            int target,
            int minorVersion,
            Framing framing,
            long bodyLength,
            boolean lasting) {}

    /**
     * Creates a head; the arrays are its own from now on.
     *
     * @param bytes from the method to the empty line, and with it
     * @param ranges of the fields
     * @param known numbers of the names that are known
     * @param facts about the whole
     */
    HttpHead(byte[] bytes, int[] ranges, byte[] known, Facts facts) {
        this.bytes = bytes;
        this.ranges = ranges;
        this.known = known;
        this.method = facts.method;
        this.target = facts.target;
        this.minorVersion = (byte) facts.minorVersion;
        this.framing = facts.framing;
        this.bodyLength = facts.bodyLength;
        this.lasting = facts.lasting;
        long knownNames = 0;
        long lengths = 0;
        boolean twice = false;
        for (int i = 0; i < known.length; i++) {
            if (known[i] == UNKNOWN) {
                int name = ranges[2 * i];
                long length = 1L << (end(name) - start(name));
                twice |= (lengths & length) != 0;
                lengths |= length;
            } else {
                long name = 1L << known[i];
                twice |= (knownNames & name) != 0;
                knownNames |= name;
            }
        }
        this.present = knownNames;
        this.repeating = twice;
    }

    static int range(int from, int to) {
        return (from << 16) | to;
    }

    /**
     * Returns the start of a range.
     *
     * @param range of this head
     * @return index in {@link #bytes}
     */
    public static int start(int range) {
        return range >>> 16;
    }

    /**
     * Returns the end of a range.
     *
     * @param range of this head
     * @return index in {@link #bytes} behind its last byte
     */
    public static int end(int range) {
        return range & 0xFFFF;
    }

    /**
     * Returns what all ranges are in.
     *
     * @return the bytes from the method to the empty line, and with it; not to be changed
     */
    public byte[] bytes() {
        return bytes;
    }

    /**
     * Returns the method.
     *
     * @return null when it is none of the known ones: then {@link #methodText} has it
     */
    public @Nullable KnownMethod method() {
        return KnownMethod.of(bytes, start(method), end(method));
    }

    /**
     * Returns the method as text.
     *
     * @return a token, in the case it was sent
     */
    public String methodText() {
        KnownMethod one = method();
        return one == null ? text(method) : one.name();
    }

    /**
     * Returns the target as it was sent.
     *
     * @return a range: visible characters without {@code #}, at least one
     */
    public int target() {
        return target;
    }

    /**
     * Returns the version that the rest of this proxy goes by: a higher minor version than 1 counts
     * as 1, RFC 9110 section 2.5.
     *
     * @return 1 for HTTP/1.1, 0 for HTTP/1.0
     */
    public int minorVersion() {
        return minorVersion;
    }

    /**
     * Returns how the end of the body is found.
     *
     * @return the framing
     */
    public Framing framing() {
        return framing;
    }

    /**
     * Returns how long the body is.
     *
     * @return bytes; 0 without body; -1 when its end alone will tell
     */
    public long bodyLength() {
        return bodyLength;
    }

    /**
     * Says whether the connection may go on after the answer: RFC 9112 section 9.3.
     *
     * @return false when the client asks for its end, or is of HTTP/1.0 and does not ask for more
     */
    public boolean isLasting() {
        return lasting;
    }

    /**
     * Returns how many fields there are.
     *
     * @return lines, repeated names counted each time
     */
    public int fields() {
        return known.length;
    }

    /**
     * Returns the name of a field.
     *
     * @param index from 0
     * @return a range, in the case it was sent
     */
    public int name(int index) {
        return ranges[2 * index];
    }

    /**
     * Returns the value of a field.
     *
     * @param index from 0
     * @return a range without surrounding white space; may be empty
     */
    public int value(int index) {
        return ranges[2 * index + 1];
    }

    /**
     * Returns which of the known names a field has.
     *
     * @param index from 0
     * @return null when it is none of them
     */
    public @Nullable KnownField known(int index) {
        return known[index] == UNKNOWN ? null : KnownField.at(known[index]);
    }

    /**
     * Looks for a field.
     *
     * @param field its name
     * @return index of the first one; -1 when there is none
     */
    public int find(KnownField field) {
        return find(field, 0);
    }

    /**
     * Looks for a field from an index on.
     *
     * @param field its name
     * @param from index of the first one that is looked at
     * @return index of the first one; -1 when there is none
     */
    public int find(KnownField field, int from) {
        byte number = (byte) field.number();
        if ((present & (1L << number)) == 0) {
            return NO_FIELD;
        }
        for (int i = from; i < known.length; i++) {
            if (known[i] == number) {
                return i;
            }
        }
        return NO_FIELD;
    }

    /**
     * Looks for a field from an index on.
     *
     * @param name its name in any case
     * @param from index of the first one that is looked at
     * @return index of the first one; -1 when there is none
     */
    public int find(String name, int from) {
        KnownField one = KnownField.of(name);
        if (one != null) {
            return find(one, from);
        }
        for (int i = from; i < known.length; i++) {
            if (known[i] == UNKNOWN && isName(i, name)) {
                return i;
            }
        }
        return NO_FIELD;
    }

    private boolean isName(int index, String name) {
        int range = name(index);
        int length = end(range) - start(range);
        if (length != name.length()) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            char c = name.charAt(i);
            if (c > 0x7F || Ascii.lower((byte) c) != Ascii.lower(bytes[start(range) + i])) {
                return false;
            }
        }
        return true;
    }

    /**
     * Says whether a name may be there more than once, so that {@link #isSameName} has to be asked.
     *
     * @return false when all names differ
     */
    public boolean mayRepeatNames() {
        return repeating;
    }

    /**
     * Says whether two fields have the same name.
     *
     * @param one index from 0
     * @param other index from 0
     * @return whether their names differ in case at most
     */
    public boolean isSameName(int one, int other) {
        if (known[one] != known[other]) {
            return false;
        }
        if (known[one] != UNKNOWN) {
            return true;
        }
        int a = name(one);
        int b = name(other);
        int length = end(a) - start(a);
        if (length != end(b) - start(b)) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (Ascii.lower(bytes[start(a) + i]) != Ascii.lower(bytes[start(b) + i])) {
                return false;
            }
        }
        return true;
    }

    /**
     * Says whether a range holds a word, whatever its case.
     *
     * @param range of this head
     * @param lower the word in lower case, ASCII
     * @return whether it is the whole range
     */
    public boolean isWord(int range, String lower) {
        int from = start(range);
        if (end(range) - from != lower.length()) {
            return false;
        }
        for (int i = 0; i < lower.length(); i++) {
            if (Ascii.lower(bytes[from + i]) != (byte) lower.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Makes a text of a range.
     *
     * @param range of this head
     * @return one character per byte
     */
    public String text(int range) {
        int from = start(range);
        return new String(bytes, from, end(range) - from, StandardCharsets.ISO_8859_1);
    }

    /**
     * Says whether two heads have the same bytes.
     *
     * @param other a head or anything else
     * @return whether it is a head with the same bytes
     */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof HttpHead head && Arrays.equals(bytes, head.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** The first line, for logs. */
    @Override
    public String toString() {
        return methodText() + " " + text(target) + " HTTP/1." + minorVersion;
    }
}
