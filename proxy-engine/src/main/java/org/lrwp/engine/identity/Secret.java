package org.lrwp.engine.identity;

import java.util.Arrays;

/** A key that a peer must prove before it may serve a context. Never printed. */
public final class Secret {
    private final byte[] key;

    /**
     * Wraps a key.
     *
     * @param key its bytes, at least one; copied
     */
    public Secret(byte[] key) {
        if (key.length == 0) {
            throw new IllegalArgumentException("a secret is empty");
        }
        this.key = key.clone();
    }

    /**
     * Returns the key, for the arithmetic of a handshake only.
     *
     * @return its bytes, not copied: never to be changed, kept or shown
     */
    public byte[] key() {
        return key;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secret secret && Arrays.equals(key, secret.key);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(key);
    }

    @Override
    public String toString() {
        return "***";
    }
}
