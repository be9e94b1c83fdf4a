package org.lrwp.runtime.configuration;

import java.util.Objects;

/**
 * A kind of value: how its text is read and what is allowed.
 *
 * @param <T> what the text becomes; immutable
 * @param allowed what is allowed, for faults, help and docs: {@code a number, 1 to 10}
 * @param reader reads a text without surrounding white space
 */
public record ValueType<T>(String allowed, Reader<T> reader) {
    /**
     * Reads a text.
     *
     * @param <T> what it becomes
     */
    @FunctionalInterface
    public interface Reader<T> {
        /**
         * Reads a text.
         *
         * @param text without surrounding white space, maybe empty
         * @return the value
         * @throws RuntimeException when the text is not allowed
         */
        T read(String text);
    }

    /** Checks that nothing is missing. */
    public ValueType {
        Objects.requireNonNull(allowed, "allowed");
        Objects.requireNonNull(reader, "reader");
    }

    /**
     * Reads a text.
     *
     * @param text the text; white space around it does not count
     * @return the value
     * @throws IllegalArgumentException when it is not allowed
     */
    public T parse(String text) {
        try {
            return reader.read(text.strip());
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("allowed is " + allowed, e);
        }
    }

    /**
     * Says whether a text is allowed.
     *
     * @param text the text
     * @return whether {@link #parse} takes it
     */
    public boolean allows(String text) {
        try {
            parse(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
