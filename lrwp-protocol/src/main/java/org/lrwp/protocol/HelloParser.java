package org.lrwp.protocol;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * Reads the startup string of a peer, however it is cut: docs/protocol.md section 2 for 1.0 and
 * 2.x, docs/protocol.md section 12 for 3.0, section 17 for 3.1 and above.
 *
 * <pre>
 *   START --first byte FF--> VERSION --> APPLICATION --> HOST ------------------> COMPLETE
 *      \--any other byte-----------------^                 \ from 3.1 on              ^
 *                                                           IDENTITY --> KEY --> NONCE
 *   any state --> REFUSED
 * </pre>
 *
 * <p>Bytes after the last delimiter are left in the buffer: see {@link FilterSkipper}. Not
 * thread-safe.
 */
public final class HelloParser {
    /** Most bytes that a startup string may have, delimiters included. */
    public static final int MAX_LENGTH = 1024;

    /** Where the parser stands. */
    public enum State {
        /** Nothing has arrived yet. */
        START,
        /** In the version field. */
        VERSION,
        /** In the application name. */
        APPLICATION,
        /** In the virtual host. */
        HOST,
        /** In the name of the identity. */
        IDENTITY,
        /** In the id of the key. */
        KEY,
        /** In the nonce. */
        NONCE,
        /** {@link #registration()} is there. */
        COMPLETE,
        /** {@link #refusal()} is there. */
        REFUSED
    }

    private static final byte DELIMITER = (byte) 0xFF;

    /** A record of a TLS handshake; no name begins so, and what follows is likely to hold FF. */
    private static final byte[] TLS_BEGINNING = {22, 3};

    private static final Pattern HTTP_LINE = Pattern.compile("[A-Z]{3,16} \\S+ HTTP/\\d");
    private static final Pattern HTTP_BEGINNING = Pattern.compile("[A-Z]{3,16} (/|\\S+ HTTP/)");
    private static final int VERSION_LENGTH = 3;

    /** Of 3.x, whose minor number may grow. */
    private static final int LONGEST_VERSION = 5;

    private byte[] startup = new byte[128];
    private final byte[] field = new byte[Registration.MAX_COMPONENT + 2];
    private int fieldLength;
    private int total;
    private State state = State.START;
    private ProtocolVersion version = ProtocolVersion.LRWP_1;
    private String application = "";
    private String host = "";
    private String identity = "";
    private String keyId = "";
    private boolean identified;
    private boolean tooLong;
    private @Nullable Registration registration;
    private @Nullable Refusal refusal;

    /** Creates a parser for one connection. */
    public HelloParser() {}

    /**
     * Takes bytes up to the end of the startup string.
     *
     * @param in what has arrived; bytes behind the startup string stay in it
     * @return where the parser stands now
     */
    public State feed(ByteBuffer in) {
        while (in.hasRemaining() && state != State.COMPLETE && state != State.REFUSED) {
            accept(in.get());
        }
        return state;
    }

    /**
     * Says that nothing more will come in time: the input ended or the registration time is over.
     *
     * @return {@link State#REFUSED}, or {@link State#COMPLETE} when it was complete before
     */
    public State endOfInput() {
        if (state != State.COMPLETE && state != State.REFUSED) {
            refuse(incomplete());
        }
        return state;
    }

    private Refusal incomplete() {
        if (begins(HTTP_BEGINNING)) {
            return Refusal.HTTP_REQUEST;
        }
        // The text for 2.x is what its peers have always seen; 3.x has no such history.
        return version == ProtocolVersion.LRWP_2
                ? Refusal.MALFORMED_LRWP2
                : Refusal.MALFORMED_STARTUP;
    }

    private void accept(byte value) {
        if (total == startup.length) {
            startup = Arrays.copyOf(startup, 2 * total);
        }
        startup[total++] = value;
        if (state == State.START) {
            state = value == DELIMITER ? State.VERSION : State.APPLICATION;
            if (value == DELIMITER) {
                return;
            }
        }
        if (value == DELIMITER) {
            endField();
        } else if (fieldLength < field.length) {
            field[fieldLength++] = value;
            if (state == State.VERSION) {
                checkVersion();
            }
        }
        if (total == TLS_BEGINNING.length
                && Arrays.equals(startup, 0, total, TLS_BEGINNING, 0, total)) {
            refuse(Refusal.TLS_HANDSHAKE);
        }
        if (value == '\n' && state == State.APPLICATION && begins(HTTP_LINE)) {
            refuse(Refusal.HTTP_REQUEST);
        }
        if (total >= MAX_LENGTH && state != State.COMPLETE && state != State.REFUSED) {
            refuse(incomplete());
        }
    }

    /** Whether it looks so from its first byte on; a name of 1.0 may be anything but this. */
    private boolean begins(Pattern beginning) {
        return beginning
                .matcher(new String(startup, 0, total, StandardCharsets.ISO_8859_1))
                .lookingAt();
    }

    private void endField() {
        switch (state) {
            case VERSION -> endVersion();
            case APPLICATION -> endApplication();
            case HOST -> endHost();
            case IDENTITY -> {
                identity = text();
                next(State.KEY, IdentityClaim.isEmptyOrName(identity));
            }
            case KEY -> {
                keyId = text();
                next(State.NONCE, IdentityClaim.isEmptyOrName(keyId));
            }
            case NONCE -> endNonce();
            default -> throw new IllegalStateException("delimiter in " + state);
        }
        fieldLength = 0;
    }

    /** Who has said {@code 3.} knows frames, whatever follows. */
    private void checkVersion() {
        if (fieldLength == 2 && field[0] == '3' && field[1] == '.') {
            version = ProtocolVersion.LRWP_3;
        }
        int most = version == ProtocolVersion.LRWP_3 ? LONGEST_VERSION : VERSION_LENGTH;
        if (fieldLength > most) {
            refuse(Refusal.MALFORMED_STARTUP);
        }
    }

    private boolean isVersion() {
        boolean right = fieldLength >= VERSION_LENGTH && isDigit(field[0]) && field[1] == '.';
        for (int i = 2; i < fieldLength; i++) {
            right &= isDigit(field[i]);
        }
        return right;
    }

    private void endVersion() {
        if (!isVersion()) {
            refuse(Refusal.MALFORMED_STARTUP);
        } else if (field[0] != '2' && field[0] != '3') {
            refuse(Refusal.UNKNOWN_VERSION);
        } else {
            version = field[0] == '2' ? ProtocolVersion.LRWP_2 : ProtocolVersion.LRWP_3;
            identified = version == ProtocolVersion.LRWP_3 && !isZero(2);
            state = State.APPLICATION;
        }
    }

    private void endApplication() {
        String sent = text();
        if (sent.isEmpty() && version != ProtocolVersion.LRWP_3) {
            refuse(Refusal.MALFORMED_LRWP2);
            return;
        }
        String name = sent.startsWith("/") ? sent.substring(1) : sent;
        application = version == ProtocolVersion.LRWP_3 ? sent : name;
        // Delimiters are checked before lengths, so the verdict waits for the last delimiter.
        tooLong = name.length() > Registration.MAX_COMPONENT;
        state = State.HOST;
    }

    private void endHost() {
        tooLong |= fieldLength > Registration.MAX_COMPONENT;
        host = tooLong ? "" : text();
        if (identified) {
            state = State.IDENTITY;
        } else {
            complete(null);
        }
    }

    private void next(State following, boolean right) {
        state = following;
        if (!right) {
            refuse(Refusal.MALFORMED_STARTUP);
        }
    }

    private void endNonce() {
        String nonce = text();
        if (IdentityClaim.isNonce(nonce)) {
            complete(new IdentityClaim(identity, keyId, nonce));
        } else {
            refuse(Refusal.MALFORMED_STARTUP);
        }
    }

    private void complete(@Nullable IdentityClaim claim) {
        if (tooLong) {
            refuse(Refusal.COMPONENT_TOO_LONG);
        } else {
            registration = new Registration(version, application, host, claim);
            state = State.COMPLETE;
        }
    }

    /** Whether the digits from one on to the end of the version are zeros. */
    private boolean isZero(int from) {
        boolean zero = true;
        for (int i = from; i < fieldLength; i++) {
            zero &= field[i] == '0';
        }
        return zero;
    }

    private void refuse(Refusal reason) {
        refusal = reason;
        state = State.REFUSED;
    }

    private String text() {
        return new String(field, 0, fieldLength, StandardCharsets.ISO_8859_1);
    }

    private static boolean isDigit(byte value) {
        return value >= '0' && value <= '9';
    }

    /**
     * Says whether nothing has arrived.
     *
     * @return true before the first byte, also at the end of input
     */
    public boolean isEmpty() {
        return total == 0;
    }

    /**
     * Says whether {@link #registration()} is there.
     *
     * @return true once complete
     */
    public boolean isComplete() {
        return registration != null;
    }

    /**
     * Returns the startup string, byte for byte.
     *
     * @return what has been taken so far
     */
    public byte[] startup() {
        return Arrays.copyOf(startup, total);
    }

    /**
     * Returns the version as far as it is known.
     *
     * @return the version of the startup string, 1.0 before it is known
     */
    public ProtocolVersion version() {
        return version;
    }

    /**
     * Returns what the peer asks for.
     *
     * @return the registration, once {@link State#COMPLETE}
     * @throws IllegalStateException before that
     */
    public Registration registration() {
        if (registration == null) {
            throw new IllegalStateException("no registration in state " + state);
        }
        return registration;
    }

    /**
     * Returns why the startup string is refused.
     *
     * @return the reason, once {@link State#REFUSED}
     * @throws IllegalStateException before that
     */
    public Refusal refusal() {
        if (refusal == null) {
            throw new IllegalStateException("no refusal in state " + state);
        }
        return refusal;
    }
}
