package org.lrwp.runtime.configuration;

/**
 * Is told what became of changes to a configuration. Called on the thread that wanted the change;
 * must not block.
 */
public interface Witness {
    /**
     * The configuration has got other values. Two changes at the same time are told of side by
     * side.
     *
     * @param origin where the change was wanted, also where that is to take a value back
     * @param before the values until then
     * @param after the values that this change has made
     */
    void changed(Origin origin, Values before, Values after);

    /**
     * A change was refused, and nothing has changed.
     *
     * @param origin where it was wanted
     * @param reason why not
     */
    void refused(Origin origin, String reason);
}
