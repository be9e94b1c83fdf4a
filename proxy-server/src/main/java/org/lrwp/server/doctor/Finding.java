package org.lrwp.server.doctor;

import java.util.Objects;

/**
 * What an examination has found.
 *
 * @param verdict how bad it is
 * @param area what was looked at, a word or two
 * @param sentence what was found, and what to do when it is not good
 */
public record Finding(Verdict verdict, String area, String sentence) {
    /** How bad something is. */
    public enum Verdict {
        /** As it should be. */
        OK,
        /** The proxy works, but not as well as it could. */
        ADVICE,
        /** The proxy will not start, or refuse what it should serve. */
        FAULT
    }

    /** Checks that nothing is missing. */
    public Finding {
        Objects.requireNonNull(verdict, "verdict");
        Objects.requireNonNull(area, "area");
        Objects.requireNonNull(sentence, "sentence");
    }

    static Finding ok(String area, String sentence) {
        return new Finding(Verdict.OK, area, sentence);
    }

    static Finding advice(String area, String sentence) {
        return new Finding(Verdict.ADVICE, area, sentence);
    }

    static Finding fault(String area, String sentence) {
        return new Finding(Verdict.FAULT, area, sentence);
    }

    /**
     * Returns it as a line.
     *
     * @return without line end
     */
    public String line() {
        String word =
                switch (verdict) {
                    case OK -> "ok";
                    case ADVICE -> "advice";
                    case FAULT -> "FAULT";
                };
        return "%-8s%-14s%s".formatted(word, area, sentence);
    }
}
