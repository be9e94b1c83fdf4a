package org.lrwp.runtime.configuration;

import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The names that a user may choose: for {@code *} in a family of keys, or for the one thing that a
 * key is set for alone ({@code context./osp.grace}).
 *
 * @param allowed what is allowed, for faults: {@code a context as /osp}
 * @param test says whether a name is one of them
 */
public record Members(String allowed, Predicate<String> test) {
    /** Words, as families have them unless they say otherwise. */
    static final Members WORDS =
            new Members(
                    "a name of letters, digits, - and _",
                    Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,63}").asMatchPredicate());

    /** Those of a key of this name, unless it says otherwise; null when it is one thing. */
    static @Nullable Members of(String name) {
        return name.indexOf('*') < 0 ? null : WORDS;
    }

    /** Checks that nothing is missing. */
    public Members {
        Objects.requireNonNull(allowed, "allowed");
        Objects.requireNonNull(test, "test");
    }
}
