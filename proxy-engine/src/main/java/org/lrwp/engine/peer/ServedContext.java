package org.lrwp.engine.peer;

import org.lrwp.protocol.Registration;

import java.util.Objects;

/**
 * One context that a connection serves.
 *
 * @param context as users write it, for example {@code /osp}
 * @param virtualHost the only host it serves it for, empty for every host
 */
public record ServedContext(String context, String virtualHost) {
    /** Checks that nothing is missing. */
    public ServedContext {
        Objects.requireNonNull(context, "context");
        Objects.requireNonNull(virtualHost, "virtualHost");
    }

    /**
     * Returns what a registration asks for.
     *
     * @param registration of a startup string
     * @return its context and host
     */
    public static ServedContext of(Registration registration) {
        return new ServedContext(registration.context(), registration.virtualHost());
    }
}
