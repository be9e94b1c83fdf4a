package org.lrwp.runtime.configuration;

import java.util.Comparator;
import java.util.stream.Stream;

/** Finds what a misspelled name most likely means. Stateless, any thread. */
public final class Misspelling {
    /** More letters than these are another word; so is more than a third of a short name. */
    private static final int MOST = 2;

    private static final int THIRD = 3;

    private Misspelling() {}

    /**
     * Asks whether another name is meant, for the end of a sentence about one that nobody knows.
     *
     * @param name the one that nobody knows
     * @param names those that there are
     * @return the nearest, such as {@code : is agent.port meant?}; empty when none is near
     */
    public static String hint(String name, Stream<String> names) {
        int most = Math.min(MOST, name.length() / THIRD);
        return names.filter(one -> Math.abs(one.length() - name.length()) <= most)
                .filter(one -> distance(name, one) <= most)
                .min(Comparator.comparingInt(one -> distance(name, one)))
                .map(meant -> ": is " + meant + " meant?")
                .orElse("");
    }

    /** Letters that are missing, too many, wrong, or two that have changed places. */
    private static int distance(String a, String b) {
        int[][] steps = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                steps[i][j] = i == 0 || j == 0 ? i + j : step(steps, a, b, i, j);
            }
        }
        return steps[a.length()][b.length()];
    }

    private static int step(int[][] steps, String a, String b, int i, int j) {
        int wrong = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        int least =
                Math.min(
                        steps[i - 1][j - 1] + wrong,
                        Math.min(steps[i - 1][j], steps[i][j - 1]) + 1);
        boolean swapped =
                i > 1
                        && j > 1
                        && a.charAt(i - 1) == b.charAt(j - 2)
                        && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(least, steps[i - 2][j - 2] + 1) : least;
    }
}
