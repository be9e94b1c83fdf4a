package org.lrwp.webapp;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.nio.file.Path;

/**
 * Where a proxy that has started listens, beside the port of its server.
 *
 * @param https where clients speak HTTPS; null for nowhere
 * @param agent where peers dial in
 * @param tls where they do so inside TLS; null for nowhere
 * @param socket where those of this host do so by a Unix domain socket; null for nowhere
 */
public record Places(
        @Nullable InetSocketAddress https,
        InetSocketAddress agent,
        @Nullable InetSocketAddress tls,
        @Nullable Path socket) {}
