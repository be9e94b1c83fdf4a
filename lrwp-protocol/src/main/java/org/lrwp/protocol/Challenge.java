package org.lrwp.protocol;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.random.RandomGenerator;

/**
 * The challenge of LRWP 2: 32 octets that the peer returns XORed with its key: docs/protocol.md
 * section 3.
 *
 * <p>One exchange that is overheard gives the key away, so this identifies peers; it does not
 * protect anything.
 */
public final class Challenge {
    /** Octets of a challenge and of its answer. */
    public static final int SIZE = 32;

    private static final byte[] HEAD =
            "CHALLENGE\u00ff000000032".getBytes(StandardCharsets.ISO_8859_1);

    private final byte[] octets;

    private Challenge(byte[] octets) {
        this.octets = octets;
    }

    /**
     * Creates a challenge.
     *
     * @param random where its octets come from
     * @return a new challenge
     */
    public static Challenge create(RandomGenerator random) {
        byte[] octets = new byte[SIZE];
        random.nextBytes(octets);
        return new Challenge(octets);
    }

    /**
     * Wraps a challenge that a peer received.
     *
     * @param octets exactly {@link #SIZE} octets
     * @return the challenge
     * @throws IllegalArgumentException for any other number of octets
     */
    public static Challenge of(byte[] octets) {
        if (octets.length != SIZE) {
            throw new IllegalArgumentException(
                    "a challenge has " + SIZE + " octets, not " + octets.length);
        }
        return new Challenge(octets.clone());
    }

    /**
     * Returns the challenge as a proxy sends it.
     *
     * @return 51 octets
     */
    public byte[] encode() {
        byte[] frame = new byte[HEAD.length + SIZE];
        System.arraycopy(HEAD, 0, frame, 0, HEAD.length);
        System.arraycopy(octets, 0, frame, HEAD.length, SIZE);
        return frame;
    }

    /**
     * Returns the answer as a peer sends it: a length and 32 octets.
     *
     * @param key the secret of the context, at least one octet
     * @return 41 octets
     * @throws IllegalArgumentException when the key is empty
     */
    public byte[] answer(byte[] key) {
        byte[] frame = new byte[LengthField.SIZE + SIZE];
        LengthField.write(SIZE, frame, 0);
        System.arraycopy(expected(key), 0, frame, LengthField.SIZE, SIZE);
        return frame;
    }

    /**
     * Says whether an answer proves the key, in a time that does not depend on where they differ.
     *
     * @param answer the octets the peer sent, without their length
     * @param key the secret of the context, at least one octet
     * @return whether it does
     * @throws IllegalArgumentException when the key is empty
     */
    public boolean isAnsweredBy(byte[] answer, byte[] key) {
        return MessageDigest.isEqual(expected(key), answer);
    }

    private byte[] expected(byte[] key) {
        if (key.length == 0) {
            throw new IllegalArgumentException("the key is empty");
        }
        byte[] result = octets.clone();
        for (int i = 0; i < SIZE; i++) {
            result[i] ^= key[i % key.length];
        }
        return result;
    }
}
