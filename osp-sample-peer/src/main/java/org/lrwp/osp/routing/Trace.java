package org.lrwp.osp.routing;

import java.util.function.Supplier;

/** Hears why a call goes where it goes. */
@FunctionalInterface
interface Trace {
    /** Hears nothing. */
    Trace NONE = reason -> {};

    void because(Supplier<String> reason);
}
