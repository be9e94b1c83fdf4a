package org.lrwp.http1;

/**
 * What may stand behind the size of a chunk: RFC 9112 section 7.1.1. It means nothing to this
 * reader; one that breaks the rules may mean something to the next.
 *
 * <pre>
 *   SIZE -> BEFORE_NAME -> NAME -> AFTER_NAME -> BEFORE_VALUE -> TOKEN -> AFTER_VALUE
 *                                                             -> QUOTED (-> ESCAPED) -> CLOSED
 *   at a semicolon: NAME, AFTER_NAME, TOKEN, CLOSED, AFTER_VALUE -> BEFORE_NAME
 * </pre>
 */
final class ChunkExtension {
    private enum State {
        SIZE,
        BEFORE_NAME,
        NAME,
        AFTER_NAME,
        BEFORE_VALUE,
        TOKEN,
        QUOTED,
        ESCAPED,
        CLOSED,
        AFTER_VALUE
    }

    private State state = State.SIZE;

    void reset() {
        state = State.SIZE;
    }

    /** Whether the line may end here. */
    boolean mayEnd() {
        return state == State.NAME || state == State.TOKEN || state == State.CLOSED;
    }

    /** Whether the next byte keeps the rules; none follows one that does not. */
    boolean take(byte next) {
        boolean token = Ascii.TOKEN[next & 0xFF];
        boolean blank = Ascii.isBlank(next);
        return switch (state) {
            case SIZE -> blank || to(State.BEFORE_NAME, next == ';');
            case BEFORE_NAME -> blank || to(State.NAME, token);
            case NAME -> token || afterName(next, blank);
            case AFTER_NAME -> afterName(next, blank);
            case BEFORE_VALUE -> blank || to(State.QUOTED, next == '"') || to(State.TOKEN, token);
            case TOKEN -> token || afterValue(next, blank);
            case CLOSED, AFTER_VALUE -> afterValue(next, blank);
            case QUOTED -> quoted(next);
            case ESCAPED -> to(State.QUOTED, Ascii.VALUE[next & 0xFF]);
        };
    }

    private boolean afterName(byte next, boolean blank) {
        return to(State.AFTER_NAME, blank)
                || to(State.BEFORE_VALUE, next == '=')
                || to(State.BEFORE_NAME, next == ';');
    }

    private boolean afterValue(byte next, boolean blank) {
        return to(State.AFTER_VALUE, blank) || to(State.BEFORE_NAME, next == ';');
    }

    private boolean quoted(byte next) {
        return to(State.CLOSED, next == '"')
                || to(State.ESCAPED, next == '\\')
                || Ascii.VALUE[next & 0xFF];
    }

    private boolean to(State then, boolean holds) {
        if (holds) {
            state = then;
        }
        return holds;
    }
}
