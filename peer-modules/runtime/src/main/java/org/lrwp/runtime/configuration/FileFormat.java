package org.lrwp.runtime.configuration;

/** How a file of settings is written. In UTF-8, either way. */
public enum FileFormat {
    /**
     * One {@code name = value} to a line, {@code #} begins a comment where a line begins, and a
     * backslash is one: values may be patterns.
     */
    LINES,
    /** A properties file of Java, with its escapes and with lines that go on. */
    PROPERTIES
}
