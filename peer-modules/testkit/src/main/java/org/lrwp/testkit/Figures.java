package org.lrwp.testkit;

import org.lrwp.runtime.module.Figure;
import org.lrwp.runtime.module.PeerModule;

/** What a module says of itself. */
public final class Figures {
    private Figures() {}

    /**
     * Returns a figure.
     *
     * @param module the module
     * @param name the name of the figure
     * @return what it is now
     */
    public static Number figure(PeerModule module, String name) {
        for (Figure figure : module.figures()) {
            if (figure.name().equals(name)) {
                return figure.value();
            }
        }
        throw new AssertionError("there is no figure " + name);
    }
}
