package org.lrwp.server;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Where the identities of a proxy are, as options of a command. */
final class PeersPlace {
    /** The key that names the file. */
    static final String PEERS_FILE = "agent.peers-file";

    private static final String DEFAULT_TLS_PORT = "1082";

    @Option(
            names = "--peers-file",
            paramLabel = "FILE",
            description = {
                "The file that agent.peers-file names; made when it is missing.",
                "Default: the one that --config names, else the file peers beside it."
            })
    private @Nullable Path file;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = {
                "The proxy's configuration: what it needs for this and does not have is added.",
                "Made when it is missing."
            })
    private @Nullable Path config;

    /** The proxy's configuration; null when it is not named. */
    @Nullable Path config() {
        return config;
    }

    /** What is wrong with the two files together; null for nothing. */
    @Nullable String fault() throws IOException {
        Path named = file;
        Path proxy = config;
        if (named == null || proxy == null) {
            return null;
        }
        var read = new ProxyFile(proxy);
        return read.names(PEERS_FILE, named)
                ? null
                : "--peers-file %s is not the file that %s names: %s = %s"
                        .formatted(named, proxy, PEERS_FILE, read.value(PEERS_FILE));
    }

    /** An option that names the same file of identities in another command. */
    String option(Path peers) {
        Path proxy = config;
        return file == null && proxy != null && Files.exists(proxy)
                ? "--config " + proxy
                : "--peers-file " + peers;
    }

    /** The files of the proxy that are named, or used when nothing is. */
    List<Path> files(Path peers) {
        Path proxy = config;
        return proxy == null ? List.of(peers) : List.of(proxy.toAbsolutePath(), peers);
    }

    /** The port that peers inside TLS dial. */
    String tlsPort() throws IOException {
        Path proxy = config;
        String set = proxy == null ? null : new ProxyFile(proxy).value("agent.tls.port");
        return set == null || set.isEmpty() ? DEFAULT_TLS_PORT : set;
    }

    /** The file of identities; null when nothing names it. */
    @Nullable Path peersFile() throws IOException {
        Path named = file;
        Path proxy = config;
        if (named == null && proxy != null) {
            String set = new ProxyFile(proxy).value(PEERS_FILE);
            named = set == null ? proxy.toAbsolutePath().resolveSibling("peers") : Path.of(set);
        }
        return named == null ? null : named.toAbsolutePath().normalize();
    }
}
