package org.lrwp.runtime.operation;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;

/**
 * Where a module's admin endpoint is.
 *
 * @param port port of the loopback address, 1 to 65535; 0 = any that is free; -1 = no endpoint
 * @param tokenFile file with the token that changes need, mode 600; null = nobody may change
 *     anything
 */
public record Admin(int port, @Nullable Path tokenFile) {
    /** Checks the port. */
    public Admin {
        if (port < -1 || port > 0xFFFF) {
            throw new IllegalArgumentException("admin port " + port + " is not within 0 to 65535");
        }
    }
}
