package org.lrwp.protocol;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.random.RandomGenerator;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The challenge: 32 bytes by which a peer shows that it has a key: docs/protocol.md section 3 for
 * 2.x, docs/protocol.md section 12 for 3.x.
 *
 * <p>A 2.x peer returns them XORed with its key. One such exchange that is overheard gives the key
 * away, so that identifies peers; it does not protect anything. A 3.x peer returns a keyed hash of
 * them and of the names it registers, from which the key does not follow.
 */
public final class Challenge {
    /** Bytes of a challenge and of its answer. */
    public static final int SIZE = 32;

    private static final byte[] HEAD =
            "CHALLENGE\u00ff000000032".getBytes(StandardCharsets.ISO_8859_1);

    private static final String ALGORITHM = "HmacSHA256";

    private final byte[] bytes;

    private Challenge(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Creates a challenge.
     *
     * @param random where its bytes come from
     * @return a new challenge
     */
    public static Challenge create(RandomGenerator random) {
        byte[] bytes = new byte[SIZE];
        random.nextBytes(bytes);
        return new Challenge(bytes);
    }

    /**
     * Wraps a challenge that a peer received.
     *
     * @param bytes exactly {@link #SIZE} bytes
     * @return the challenge
     * @throws IllegalArgumentException for any other number of bytes
     */
    public static Challenge of(byte[] bytes) {
        if (bytes.length != SIZE) {
            throw new IllegalArgumentException(
                    "a challenge has " + SIZE + " bytes, not " + bytes.length);
        }
        return new Challenge(bytes.clone());
    }

    /**
     * Returns the challenge as a proxy sends it.
     *
     * @return 51 bytes
     */
    public byte[] encode() {
        byte[] frame = new byte[HEAD.length + SIZE];
        System.arraycopy(HEAD, 0, frame, 0, HEAD.length);
        System.arraycopy(bytes, 0, frame, HEAD.length, SIZE);
        return frame;
    }

    /**
     * Returns the answer as a 2.x peer sends it: a length and 32 bytes.
     *
     * @param key the secret of the context, at least one byte
     * @return 41 bytes
     * @throws IllegalArgumentException when the key is empty
     */
    public byte[] answer(byte[] key) {
        byte[] frame = new byte[LengthField.SIZE + SIZE];
        LengthField.write(SIZE, frame, 0);
        System.arraycopy(expected(key), 0, frame, LengthField.SIZE, SIZE);
        return frame;
    }

    /**
     * Says whether the answer of a 2.x peer proves the key, in a time that does not depend on where
     * they differ.
     *
     * @param answer the bytes the peer sent, without their length
     * @param key the secret of the context, at least one byte
     * @return whether it does
     * @throws IllegalArgumentException when the key is empty
     */
    public boolean isAnsweredBy(byte[] answer, byte[] key) {
        return MessageDigest.isEqual(expected(key), answer);
    }

    /**
     * Returns the answer as a 3.x peer sends it: a length and the HMAC-SHA-256 of the challenge and
     * the names.
     *
     * @param key the secret of the context, at least one byte
     * @param registration the 3.x registration that the peer sent
     * @return 41 bytes
     * @throws IllegalArgumentException when the key is empty or the registration is not of 3.x
     */
    public byte[] proof(byte[] key, Registration registration) {
        byte[] frame = new byte[LengthField.SIZE + SIZE];
        LengthField.write(SIZE, frame, 0);
        System.arraycopy(expected(key, registration), 0, frame, LengthField.SIZE, SIZE);
        return frame;
    }

    /**
     * Says whether the answer of a 3.x peer proves the key, in a time that does not depend on where
     * they differ.
     *
     * @param answer the bytes the peer sent, without their length
     * @param key the secret of the context, at least one byte
     * @param registration the 3.x registration that the peer sent
     * @return whether it does
     * @throws IllegalArgumentException when the key is empty or the registration is not of 3.x
     */
    public boolean isProvedBy(byte[] answer, byte[] key, Registration registration) {
        return MessageDigest.isEqual(expected(key, registration), answer);
    }

    private byte[] expected(byte[] key, Registration registration) {
        checkKey(key);
        if (registration.version() != ProtocolVersion.LRWP_3) {
            throw new IllegalArgumentException("a proof needs the names as LRWP 3 sends them");
        }
        String names = registration.application() + '\u00ff' + registration.virtualHost();
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            mac.update(bytes);
            return mac.doFinal(names.getBytes(StandardCharsets.ISO_8859_1));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }

    private static void checkKey(byte[] key) {
        if (key.length == 0) {
            throw new IllegalArgumentException("the key is empty");
        }
    }

    private byte[] expected(byte[] key) {
        checkKey(key);
        byte[] result = bytes.clone();
        for (int i = 0; i < SIZE; i++) {
            result[i] ^= key[i % key.length];
        }
        return result;
    }
}
