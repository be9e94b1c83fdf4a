package org.lrwp.webapp.operations;

import java.util.List;

/** Gives pictures of the modules in the proxy; may be called at any time by any thread. */
@FunctionalInterface
public interface ModuleView {
    /**
     * Takes pictures.
     *
     * @return all modules as they are now
     */
    List<ModuleStatus> modules();
}
