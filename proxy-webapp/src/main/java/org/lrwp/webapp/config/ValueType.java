package org.lrwp.webapp.config;

import java.util.Objects;

/**
 * A kind of value: how its text is read and what is allowed.
 *
 * @param <T> what the text becomes
 * @param allowed what is allowed, for faults and the docs
 * @param reader reads a text without surrounding white space; throws IllegalArgumentException when
 *     it is not allowed
 */
record ValueType<T>(String allowed, Reader<T> reader) {
    /** Reads a text. */
    @FunctionalInterface
    interface Reader<T> {
        T read(String text);
    }

    ValueType {
        Objects.requireNonNull(allowed, "allowed");
        Objects.requireNonNull(reader, "reader");
    }

    T parse(String text) {
        return reader.read(text.strip());
    }
}
