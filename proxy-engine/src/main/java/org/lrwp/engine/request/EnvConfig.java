package org.lrwp.engine.request;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.network.Network;

import java.net.InetAddress;
import java.util.List;
import java.util.Objects;

/** How the env block is made. Immutable. */
public final class EnvConfig {
    private final String software;
    private final String version;
    private final boolean xitami;
    private final List<Network> trustedProxies;
    private final String documentRoot;
    private final int limit;
    private final EnvConstants constants;

    /**
     * Checks and copies all values.
     *
     * @param software value of SERVER_SOFTWARE
     * @param version value of SERVER_VERSION
     * @param xitami whether the variables that only Xitami's peers read are added
     * @param trustedProxies where Forwarded and X-Forwarded-* are believed from; elsewhere they are
     *     dropped
     * @param documentRoot what PATH_TRANSLATED starts with; empty = no PATH_TRANSLATED
     * @param limit bytes of the block, at least 1; above it 431
     */
    public EnvConfig(
            String software,
            String version,
            boolean xitami,
            List<Network> trustedProxies,
            String documentRoot,
            int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit " + limit + " is below 1");
        }
        this.software = Objects.requireNonNull(software, "software");
        this.version = Objects.requireNonNull(version, "version");
        this.xitami = xitami;
        this.trustedProxies = List.copyOf(trustedProxies);
        this.documentRoot = Objects.requireNonNull(documentRoot, "documentRoot");
        this.limit = limit;
        this.constants = EnvConstants.of(software, version);
    }

    String software() {
        return software;
    }

    String version() {
        return version;
    }

    boolean xitami() {
        return xitami;
    }

    String documentRoot() {
        return documentRoot;
    }

    int limit() {
        return limit;
    }

    EnvConstants constants() {
        return constants;
    }

    /**
     * Says whether forwarding fields of a request are believed.
     *
     * @param head the request
     * @return whether it comes from a trusted proxy
     */
    public boolean trusts(RequestHead head) {
        return trusts(head.connection().sender());
    }

    private boolean trusts(ClientConnection sender) {
        return !sender.isUnknown() && trusts(sender.remoteAddress());
    }

    /**
     * Says whether a proxy may name its clients.
     *
     * @param proxy its address
     * @return whether it is a trusted one
     */
    public boolean trusts(InetAddress proxy) {
        return Network.anyContains(trustedProxies, proxy);
    }

    /**
     * Finds out whose request it is, from the fields of trusted proxies. Once for each request.
     *
     * @param head the request
     * @return the same request, by the client's connection; the head itself when nothing that is
     *     believed tells of another client
     */
    public RequestHead identified(RequestHead head) {
        if (trustedProxies.isEmpty() || !head.hasForwardingFields()) {
            return head;
        }
        ClientConnection ends = head.connection();
        boolean known = !ends.sender().equals(ends);
        return known || !trusts(ends) ? head : head.by(ForwardedClient.of(head, trustedProxies));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof EnvConfig same
                && software.equals(same.software)
                && version.equals(same.version)
                && xitami == same.xitami
                && trustedProxies.equals(same.trustedProxies)
                && documentRoot.equals(same.documentRoot)
                && limit == same.limit;
    }

    @Override
    public int hashCode() {
        return Objects.hash(software, version, xitami, trustedProxies, documentRoot, limit);
    }

    @Override
    public String toString() {
        return "EnvConfig[software=%s, xitami=%s, trustedProxies=%s, documentRoot=%s, limit=%d]"
                .formatted(software, xitami, trustedProxies, documentRoot, limit);
    }
}
