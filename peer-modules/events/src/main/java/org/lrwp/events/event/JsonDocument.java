package org.lrwp.events.event;

/**
 * Checks one JSON text (RFC 8259) and takes the white space out of it, so that it fits on a line.
 * Numbers and strings stay as they were written, which no parser that builds values promises.
 */
final class JsonDocument {
    /** Arrays and objects within each other; what is deeper is refused. */
    private static final int DEEPEST = 64;

    private final String text;
    private final StringBuilder compact;
    private int next;
    private int depth;

    private JsonDocument(String text) {
        this.text = text;
        this.compact = new StringBuilder(text.length());
    }

    /** Returns the same document without white space; throws IllegalArgumentException. */
    static String compact(String text) {
        JsonDocument document = new JsonDocument(text);
        document.skip();
        document.value();
        if (document.next < text.length()) {
            throw document.bad();
        }
        return document.compact.toString();
    }

    private IllegalArgumentException bad() {
        return new IllegalArgumentException("the event is not JSON at character " + (next + 1));
    }

    private char peek() {
        return next < text.length() ? text.charAt(next) : 0;
    }

    private void skip() {
        char c = peek();
        while (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
            next++;
            c = peek();
        }
    }

    /** Takes one character that must be there. */
    private void take(char expected) {
        if (peek() != expected) {
            throw bad();
        }
        compact.append(expected);
        next++;
    }

    private void value() {
        switch (peek()) {
            case '{' -> group('{', '}');
            case '[' -> group('[', ']');
            case '"' -> string();
            case 't' -> word("true");
            case 'f' -> word("false");
            case 'n' -> word("null");
            default -> number();
        }
        skip();
    }

    private void group(char open, char close) {
        if (++depth > DEEPEST) {
            throw new IllegalArgumentException("the event is nested deeper than " + DEEPEST);
        }
        take(open);
        skip();
        if (peek() != close) {
            member(open);
            while (peek() == ',') {
                take(',');
                skip();
                member(open);
            }
        }
        take(close);
        depth--;
    }

    private void member(char open) {
        if (open == '{') {
            string();
            skip();
            take(':');
            skip();
        }
        value();
    }

    private void word(String word) {
        for (int i = 0; i < word.length(); i++) {
            take(word.charAt(i));
        }
    }

    private void string() {
        take('"');
        while (peek() != '"') {
            char c = peek();
            if (c < ' ') {
                throw bad();
            }
            take(c);
            if (c == '\\') {
                escaped();
            }
        }
        take('"');
    }

    private void escaped() {
        char c = peek();
        if (c == 'u') {
            take('u');
            for (int i = 0; i < 4; i++) {
                if (Character.digit(peek(), 16) < 0 || peek() > 'f') {
                    throw bad();
                }
                take(peek());
            }
        } else if (c != 0 && "\"\\/bfnrt".indexOf(c) >= 0) {
            take(c);
        } else {
            throw bad();
        }
    }

    private void number() {
        if (peek() == '-') {
            take('-');
        }
        if (peek() == '0') {
            take('0');
        } else {
            digits();
        }
        if (peek() == '.') {
            take('.');
            digits();
        }
        if (peek() == 'e' || peek() == 'E') {
            take(peek());
            if (peek() == '+' || peek() == '-') {
                take(peek());
            }
            digits();
        }
    }

    private void digits() {
        do {
            char c = peek();
            if (c < '0' || c > '9') {
                throw bad();
            }
            take(c);
        } while (peek() >= '0' && peek() <= '9');
    }
}
