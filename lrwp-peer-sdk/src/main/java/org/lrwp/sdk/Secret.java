package org.lrwp.sdk;

/** The secret of a context, kept where nothing prints it. */
final class Secret {
    private final byte[] bytes;

    Secret(byte[] bytes) {
        if (bytes.length == 0) {
            throw new IllegalArgumentException("the secret is empty");
        }
        this.bytes = bytes.clone();
    }

    byte[] bytes() {
        return bytes;
    }

    @Override
    public String toString() {
        return "Secret[...]";
    }
}
