package org.lrwp.runtime.module;

import java.io.IOException;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Something that an operator can have a module do, by its runtime API.
 *
 * @param name words in kebab case, for example {@code clear}
 * @param meaning what it does: a sentence
 * @param work does it
 */
public record Action(String name, String meaning, Work work) {
    private static final Pattern NAME = Pattern.compile("[a-z]+(-[a-z]+)*");

    /** Does what an action is for. */
    @FunctionalInterface
    public interface Work {
        /**
         * Does it; may block. Any thread.
         *
         * @return a sentence that says what was done
         * @throws IOException with a sentence that says why it was not
         */
        String perform() throws IOException;
    }

    /** Checks the name and that nothing is missing. */
    public Action {
        Objects.requireNonNull(meaning, "meaning");
        Objects.requireNonNull(work, "work");
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("not the name of an action: " + name);
        }
    }
}
