package org.lrwp.protocol;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * The challenge of LRWP 3.1: the proxy shows that it has the peer's key, and asks for the same:
 * docs/protocol.md section 17. Immutable.
 *
 * <p>Both proofs cover the startup string with the peer's nonce, the proxy's nonce, and inside TLS
 * the proxy's certificate: neither can be used on another connection.
 */
public final class KeyChallenge {
    /** Bytes of a challenge: the proxy's nonce and its proof. */
    public static final int SIZE = 64;

    /** Bytes of a nonce, and of a proof. */
    private static final int HALF = SIZE / 2;

    private static final byte[] HEAD = ascii("CHALLENGE\u00ff000000064");
    private static final byte[] PROXY = ascii("lrwp3 proxy\0");
    private static final byte[] PEER = ascii("lrwp3 peer\0");

    private final byte[] nonce;
    private final byte[] proof;

    private KeyChallenge(byte[] nonce, byte[] proof) {
        this.nonce = nonce;
        this.proof = proof;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /**
     * What both sides must see alike.
     *
     * @param startup the peer's startup string, as sent
     * @param certificate SHA-256 of the proxy's certificate (DER), 32 bytes; empty outside TLS
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared, and not kept beyond a handshake.
    public record Seen(byte[] startup, byte[] certificate) {
        /** Copies both. */
        public Seen {
            if (certificate.length != 0 && certificate.length != HALF) {
                throw new IllegalArgumentException(
                        "the hash of a certificate has " + certificate.length + " bytes");
            }
            startup = startup.clone();
            certificate = certificate.clone();
        }

        /**
         * Returns what is seen outside TLS.
         *
         * @param startup the peer's startup string, as sent
         * @return the same without a certificate
         */
        public static Seen plain(byte[] startup) {
            return new Seen(startup, new byte[0]);
        }
    }

    /**
     * Creates a challenge, for a proxy.
     *
     * @param random where its nonce comes from
     * @param key the key that the peer has named
     * @param seen what both sides must see alike
     * @return a new challenge
     */
    public static KeyChallenge create(RandomGenerator random, IdentityKey key, Seen seen) {
        byte[] nonce = new byte[HALF];
        random.nextBytes(nonce);
        return new KeyChallenge(nonce, hash(key, PROXY, seen, nonce));
    }

    /**
     * Wraps a challenge that a peer received.
     *
     * @param bytes exactly {@link #SIZE} bytes
     * @return the challenge
     * @throws IllegalArgumentException for any other number of bytes
     */
    public static KeyChallenge of(byte[] bytes) {
        if (bytes.length != SIZE) {
            throw new IllegalArgumentException(
                    "a challenge has " + SIZE + " bytes, not " + bytes.length);
        }
        return new KeyChallenge(
                Arrays.copyOfRange(bytes, 0, HALF), Arrays.copyOfRange(bytes, HALF, SIZE));
    }

    /**
     * Returns the challenge as a proxy sends it.
     *
     * @return 83 bytes
     */
    public byte[] encode() {
        byte[] frame = Arrays.copyOf(HEAD, HEAD.length + SIZE);
        System.arraycopy(nonce, 0, frame, HEAD.length, HALF);
        System.arraycopy(proof, 0, frame, HEAD.length + HALF, HALF);
        return frame;
    }

    /**
     * Says, for a peer, whether the proxy has the key, in a time that does not depend on where the
     * proofs differ.
     *
     * @param key the peer's key
     * @param seen what the peer has sent and seen
     * @return whether it has; if not, the peer closes the connection
     */
    public boolean isFromProxyWith(IdentityKey key, Seen seen) {
        return MessageDigest.isEqual(hash(key, PROXY, seen, nonce), proof);
    }

    /**
     * Returns the answer of a peer: a length and its proof.
     *
     * @param key the peer's key
     * @param seen what the peer has sent and seen
     * @return 41 bytes
     */
    public byte[] answer(IdentityKey key, Seen seen) {
        byte[] frame = Arrays.copyOf(LengthField.encode(HALF), LengthField.SIZE + HALF);
        System.arraycopy(hash(key, PEER, seen, nonce), 0, frame, LengthField.SIZE, HALF);
        return frame;
    }

    /**
     * Says, for a proxy, whether an answer proves the key, in a time that does not depend on where
     * the proofs differ.
     *
     * @param answer the bytes that the peer sent, without their length
     * @param key the key that the peer has named
     * @param seen what the proxy has got and shown
     * @return whether it does
     */
    public boolean isAnsweredBy(byte[] answer, IdentityKey key, Seen seen) {
        return MessageDigest.isEqual(hash(key, PEER, seen, nonce), answer);
    }

    private static byte[] hash(IdentityKey key, byte[] label, Seen seen, byte[] nonce) {
        return key.hash(label, seen.startup(), nonce, seen.certificate());
    }
}
