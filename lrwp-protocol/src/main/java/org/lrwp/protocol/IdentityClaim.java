package org.lrwp.protocol;

/**
 * Who a peer of LRWP 3.1 says it is, in its startup string: docs/protocol.md section 17. Nothing is
 * proved by it.
 *
 * @param name of the identity; empty, or {@link Names#isName a name}
 * @param keyId which of the identity's keys the peer has; empty for none, or a name
 * @param nonce {@link #NONCE_DIGITS} hexadecimal digits that this peer has never sent before
 */
public record IdentityClaim(String name, String keyId, String nonce) {
    /** Hexadecimal digits of a nonce: 32 random bytes. */
    public static final int NONCE_DIGITS = 64;

    /** Checks all three. */
    public IdentityClaim {
        if (!isEmptyOrName(name) || !isEmptyOrName(keyId)) {
            throw new IllegalArgumentException(
                    "identity \"" + name + "\" with key \"" + keyId + "\": " + Names.ALLOWED);
        }
        if (!isNonce(nonce)) {
            throw new IllegalArgumentException(
                    "a nonce is not " + NONCE_DIGITS + " hexadecimal digits");
        }
    }

    static boolean isEmptyOrName(String text) {
        return text.isEmpty() || Names.isName(text);
    }

    static boolean isNonce(String text) {
        return text.length() == NONCE_DIGITS
                && text.chars().allMatch(c -> c < 0x80 && Character.digit(c, 16) >= 0);
    }

    /**
     * Says whether the peer wants to prove a key.
     *
     * @return true when there is a key id
     */
    public boolean hasKey() {
        return !keyId.isEmpty();
    }
}
