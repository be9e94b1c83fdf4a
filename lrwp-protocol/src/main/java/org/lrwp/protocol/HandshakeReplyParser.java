package org.lrwp.protocol;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads, for a peer, what the proxy says to its startup string or to its answer to a challenge:
 * docs/protocol.md section 3.
 *
 * <p>Refusals without frame end with the connection, so the caller reports the end of input. Bytes
 * behind an acceptance are the first request or frame and stay in the buffer. A 3.x handshake is
 * accepted by {@code OK FF} only: the bare {@code OK} of a 1.0 server never counts. Not
 * thread-safe.
 */
public final class HandshakeReplyParser {
    private static final byte DELIMITER = (byte) 0xFF;
    private static final String REJECTED = "REJECTED\u00ff";
    private static final String HTTP = "HTTP/";

    /** An alert of TLS, which is its answer to a startup string: RFC 8446 section 5.1. */
    private static final String TLS_ALERT = "\25\3";

    private static final String CHALLENGE = "CHALLENGE\u00ff";
    private static final int CHALLENGE_HEAD = CHALLENGE.length() + LengthField.SIZE;

    private final ProtocolVersion version;
    private byte[] seen = new byte[64];
    private int length;
    private int challengeSize;

    /**
     * Creates a parser.
     *
     * @param version the version of the startup string that was sent
     */
    public HandshakeReplyParser(ProtocolVersion version) {
        this.version = version;
    }

    /**
     * Takes bytes of the reply.
     *
     * @param in what has arrived; bytes behind the reply stay in it
     * @return the reply, or null when more is needed
     * @throws MalformedFrameException when the reply is longer than {@link HelloParser#MAX_LENGTH}
     *     bytes, or a challenge is not {@link Challenge#SIZE} bytes, nor in 3.x {@link
     *     KeyChallenge#SIZE}
     */
    public @Nullable HandshakeReply feed(ByteBuffer in) throws MalformedFrameException {
        while (in.hasRemaining()) {
            if (length == HelloParser.MAX_LENGTH) {
                throw new MalformedFrameException(
                        "handshake reply of more than " + HelloParser.MAX_LENGTH + " bytes");
            }
            if (length == seen.length) {
                seen = Arrays.copyOf(seen, seen.length * 2);
            }
            seen[length++] = in.get();
            HandshakeReply reply = whole();
            if (reply != null) {
                return reply;
            }
        }
        return null;
    }

    /**
     * Says that the proxy closed the connection.
     *
     * @return the refusal, with whatever text came before the end, without framing; it counts as
     *     framed when its frame had begun
     */
    public HandshakeReply endOfInput() {
        boolean framed = startsWith(REJECTED);
        return new HandshakeReply.Refused(text(framed ? REJECTED.length() : 0, length), framed);
    }

    private @Nullable HandshakeReply whole() throws MalformedFrameException {
        if (length == HTTP.length() && startsWith(HTTP)) {
            // A server of HTTP may keep the connection open, and speaks no older version either.
            return new HandshakeReply.Refused("this is a port for HTTP, not for LRWP", true);
        }
        if (length == TLS_ALERT.length() && startsWith(TLS_ALERT)) {
            return new HandshakeReply.Refused("this port speaks TLS", true);
        }
        if (version == ProtocolVersion.LRWP_1) {
            return length == 2 && seen[0] == 'O' && seen[1] == 'K'
                    ? new HandshakeReply.Accepted()
                    : null;
        }
        if (length == 3 && seen[0] == 'O' && seen[1] == 'K' && seen[2] == DELIMITER) {
            return new HandshakeReply.Accepted();
        }
        if (seen[length - 1] == DELIMITER && length > REJECTED.length() && startsWith(REJECTED)) {
            return new HandshakeReply.Refused(text(REJECTED.length(), length - 1), true);
        }
        if (length == CHALLENGE_HEAD && startsWith(CHALLENGE)) {
            challengeSize = challengeSize();
        }
        if (challengeSize > 0 && length == CHALLENGE_HEAD + challengeSize) {
            byte[] challenge = Arrays.copyOfRange(seen, CHALLENGE_HEAD, length);
            return challengeSize == Challenge.SIZE
                    ? new HandshakeReply.Challenged(Challenge.of(challenge))
                    : new HandshakeReply.KeyChallenged(KeyChallenge.of(challenge));
        }
        return null;
    }

    /** A proxy of 3.1 proves that it has the key in the same frame. */
    private int challengeSize() throws MalformedFrameException {
        byte[] digits = Arrays.copyOfRange(seen, CHALLENGE.length(), CHALLENGE_HEAD);
        if (Arrays.equals(digits, LengthField.encode(Challenge.SIZE))) {
            return Challenge.SIZE;
        }
        boolean multiplexed = version == ProtocolVersion.LRWP_3;
        if (multiplexed && Arrays.equals(digits, LengthField.encode(KeyChallenge.SIZE))) {
            return KeyChallenge.SIZE;
        }
        throw new MalformedFrameException("challenge is not of " + Challenge.SIZE + " bytes");
    }

    private boolean startsWith(String prefix) {
        if (length < prefix.length()) {
            return false;
        }
        for (int i = 0; i < prefix.length(); i++) {
            if ((seen[i] & 0xFF) != prefix.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private String text(int from, int to) {
        return new String(seen, from, to - from, StandardCharsets.ISO_8859_1);
    }
}
