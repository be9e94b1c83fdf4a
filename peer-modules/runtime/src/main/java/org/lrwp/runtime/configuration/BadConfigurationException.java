package org.lrwp.runtime.configuration;

import java.util.List;

/** Values cannot be used; what was valid before stays. */
public final class BadConfigurationException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What is wrong. */
    private final transient List<String> faults;

    /**
     * Creates the exception.
     *
     * @param faults what is wrong, at least one sentence; no secret is among it
     */
    public BadConfigurationException(List<String> faults) {
        super(String.join("; ", faults));
        this.faults = List.copyOf(faults);
    }

    /**
     * Creates the exception.
     *
     * @param fault what is wrong
     */
    public BadConfigurationException(String fault) {
        this(List.of(fault));
    }

    /**
     * Returns what is wrong.
     *
     * @return all faults, at least one
     */
    public List<String> faults() {
        return faults;
    }
}
