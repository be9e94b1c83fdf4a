package org.lrwp.server.doctor;

import java.util.function.Consumer;

/** Looks at one thing that the proxy needs. */
interface Examination {
    /** Tells what it finds; may block on the disk. */
    void look(Settings settings, Consumer<Finding> findings);
}
