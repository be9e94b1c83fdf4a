package org.lrwp.sdk;

/** The secret of a context, kept where nothing prints it. */
final class Secret {
    private final byte[] octets;

    Secret(byte[] octets) {
        if (octets.length == 0) {
            throw new IllegalArgumentException("the secret is empty");
        }
        this.octets = octets.clone();
    }

    byte[] octets() {
        return octets;
    }

    @Override
    public String toString() {
        return "Secret[...]";
    }
}
