package org.lrwp.engine.request;

import org.lrwp.protocol.network.Network;

import java.util.List;
import java.util.Objects;

/**
 * How the env block is made.
 *
 * @param software value of SERVER_SOFTWARE
 * @param version value of SERVER_VERSION
 * @param xitami whether the variables that only Xitami's peers read are added
 * @param trustedProxies where Forwarded and X-Forwarded-* are believed from; elsewhere they are
 *     dropped
 * @param documentRoot what PATH_TRANSLATED starts with; empty = no PATH_TRANSLATED
 * @param limit octets of the block; above it 431
 */
public record EnvConfig(
        String software,
        String version,
        boolean xitami,
        List<Network> trustedProxies,
        String documentRoot,
        int limit) {
    /** Checks and copies all values. */
    public EnvConfig {
        Objects.requireNonNull(software, "software");
        Objects.requireNonNull(version, "version");
        Objects.requireNonNull(documentRoot, "documentRoot");
        trustedProxies = List.copyOf(trustedProxies);
        if (limit < 1) {
            throw new IllegalArgumentException("limit " + limit + " is below 1");
        }
    }

    /**
     * Says whether forwarding fields of a request are believed.
     *
     * @param head the request
     * @return whether it comes from a trusted proxy
     */
    public boolean trusts(RequestHead head) {
        return Network.anyContains(trustedProxies, head.connection().remoteAddress());
    }
}
