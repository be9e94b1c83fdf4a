package org.lrwp.sdk;

/** The proxy refused a registration; the message is its text. */
final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String text;

    RefusedException(String text) {
        super(text);
        this.text = text;
    }

    String text() {
        return text;
    }
}
