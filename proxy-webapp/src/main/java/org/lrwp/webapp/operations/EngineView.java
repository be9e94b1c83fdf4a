package org.lrwp.webapp.operations;

import org.lrwp.engine.EngineStatus;

/** Gives pictures of an engine; may be called at any time by any thread. */
@FunctionalInterface
public interface EngineView {
    /**
     * Takes a picture.
     *
     * @return the engine as it is now
     */
    EngineStatus status();
}
