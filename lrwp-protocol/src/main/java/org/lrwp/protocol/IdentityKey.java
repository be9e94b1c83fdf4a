package org.lrwp.protocol;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.random.RandomGenerator;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A key of an identity, that its peer and the proxy have: docs/protocol.md section 17. Immutable;
 * never printed.
 */
public final class IdentityKey {
    /** Fewest bytes of a key. */
    public static final int MIN_SIZE = 32;

    /** Most bytes of a key. */
    public static final int MAX_SIZE = 256;

    private static final String ALGORITHM = "HmacSHA256";

    private final byte[] bytes;

    private IdentityKey(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Wraps a key.
     *
     * @param bytes {@link #MIN_SIZE} to {@link #MAX_SIZE} random bytes; copied
     * @return the key
     * @throws IllegalArgumentException when there are fewer or more
     */
    public static IdentityKey of(byte[] bytes) {
        if (bytes.length < MIN_SIZE || bytes.length > MAX_SIZE) {
            throw new IllegalArgumentException(
                    "a key has "
                            + bytes.length
                            + " bytes, allowed are "
                            + MIN_SIZE
                            + " to "
                            + MAX_SIZE);
        }
        return new IdentityKey(bytes.clone());
    }

    /**
     * Reads a key as it stands in a file.
     *
     * @param text two hexadecimal digits for each byte; white space around them is ignored
     * @return the key
     * @throws IllegalArgumentException when it is no such text, or too short or long; the message
     *     does not hold the text
     */
    public static IdentityKey parse(String text) {
        byte[] bytes;
        try {
            bytes = HexFormat.of().parseHex(text.strip());
        } catch (IllegalArgumentException e) {
            // Without its cause, which shows a part of the key.
            throw new IllegalArgumentException("a key is not written in hexadecimal digits");
        }
        return of(bytes);
    }

    /**
     * Makes a key that nobody has.
     *
     * @param random where its bytes come from
     * @return a key of {@link #MIN_SIZE} bytes
     */
    public static IdentityKey random(RandomGenerator random) {
        byte[] bytes = new byte[MIN_SIZE];
        random.nextBytes(bytes);
        return new IdentityKey(bytes);
    }

    /** The HMAC-SHA-256 of texts, one behind the other. */
    byte[] hash(byte[]... texts) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(bytes, ALGORITHM));
            for (byte[] text : texts) {
                mac.update(text);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IdentityKey key && Arrays.equals(bytes, key.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "***";
    }
}
