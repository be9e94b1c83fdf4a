package org.lrwp.webapp.servlet;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * What is kept of a request for its answer, as the container's object cannot be asked later.
 *
 * @param id the request id
 * @param accept its Accept field
 * @param bodyLength octets of its body; 0 = none; -1 = its end alone will tell
 */
record ClientRequest(String id, @Nullable String accept, long bodyLength) {
    ClientRequest {
        Objects.requireNonNull(id, "id");
    }
}
