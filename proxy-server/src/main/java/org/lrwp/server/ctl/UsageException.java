package org.lrwp.server.ctl;

/** Wrong use, told in one sentence. */
final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;

    UsageException(String sentence) {
        super(sentence);
    }
}
