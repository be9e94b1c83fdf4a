package org.lrwp.server;

/** A reason not to start that the user can mend; its message is one sentence for the user. */
final class StartFault extends Exception {
    private static final long serialVersionUID = 1L;

    StartFault(String sentence) {
        super(sentence);
    }

    /** The sentence, never null. */
    String sentence() {
        return String.valueOf(getMessage());
    }
}
