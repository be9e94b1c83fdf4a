package org.lrwp.runtime.configuration;

/**
 * Is told what became of changes to a configuration. Called on the thread that wanted the change;
 * must not block.
 */
public interface Witness {
    /** The configuration has other values now. */
    void changed();

    /**
     * A change was refused, and nothing has changed.
     *
     * @param origin where it was wanted
     * @param reason why not
     */
    void refused(Origin origin, String reason);
}
