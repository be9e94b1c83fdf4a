package org.lrwp.webapp.config;

import java.util.List;

/** The configuration cannot be used; its message names every fault that was found. */
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param faults what is wrong, at least one; no secret is among it
     */
    public ConfigException(List<String> faults) {
        super(
                (faults.size() == 1
                                ? "The configuration has a fault: "
                                : "The configuration has " + faults.size() + " faults: ")
                        + String.join("; ", faults));
    }
}
