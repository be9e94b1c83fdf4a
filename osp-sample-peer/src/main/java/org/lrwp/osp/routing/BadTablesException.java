package org.lrwp.osp.routing;

import java.util.List;

/** Routing tables cannot be used. The message lists what is wrong, each with its place. */
public final class BadTablesException extends Exception {
    private static final long serialVersionUID = 1L;

    BadTablesException(List<String> faults) {
        super(String.join("; ", faults));
    }
}
