package org.lrwp.runtime;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.sdk.LrwpPeer;
import org.lrwp.sdk.PeerBuilder;
import org.lrwp.sdk.ProxyAddress;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The options that every peer program has: where the proxies are, and what to serve. A picocli
 * mixin.
 */
public final class PeerOptions {
    /** Names the environment variable of the secret. */
    public static final String SECRET_VARIABLE = SecretSource.VARIABLE;

    @Option(
            names = "--proxy",
            paramLabel = "HOST:PORT",
            description = {
                "A proxy to dial in to; repeatable. Default: 127.0.0.1:1081.",
                "unix:/PATH is the Unix domain socket of a proxy on this host"
            })
    private List<String> proxies = new ArrayList<>();

    @Option(
            names = "--context",
            paramLabel = "PATH",
            description = "A context to serve: /path, .extension or /; repeatable")
    private List<String> contexts = new ArrayList<>();

    @Option(
            names = "--vhost",
            paramLabel = "HOST",
            description = "Serve only this virtual host. Default: every host")
    private String vhost = "";

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            description = "Requests at once, for each proxy. Default: ${DEFAULT-VALUE}")
    private int concurrency;

    @Option(
            names = "--secret-file",
            paramLabel = "FILE",
            description = {
                "File with the secret of the contexts; only its owner may read it.",
                "Default: the environment variable " + SECRET_VARIABLE + ", if set"
            })
    private @Nullable Path secretFile;

    @Option(
            names = "--secret-over-lrwp2",
            description = {
                "Show the secret to a proxy that speaks only LRWP 2:",
                "whoever overhears that, or plays the proxy, learns it"
            })
    private boolean secretOverLrwp2;

    @Mixin private TrustOptions trust = new TrustOptions();

    @Option(
            names = "--drain-seconds",
            paramLabel = "N",
            description = "Time for answers under way when the program ends. Default: 30")
    private double drainSeconds = 30;

    /** Creates options with their defaults. */
    public PeerOptions() {
        this(8);
    }

    /**
     * Creates options with their defaults.
     *
     * @param concurrency requests at once when nobody says otherwise, at least 1
     */
    public PeerOptions(int concurrency) {
        this.concurrency = concurrency;
    }

    /** The contexts to serve. */
    List<String> contexts(List<String> defaults) {
        return contexts.isEmpty() ? defaults : List.copyOf(contexts);
    }

    /**
     * Describes the peer that these options ask for; the caller adds the handler.
     *
     * @param defaultContext served when no context was given
     * @param environment where {@link #SECRET_VARIABLE} is looked up, for example {@code
     *     System.getenv()}
     * @return a builder
     * @throws BadOptionException when an option has a value that cannot be used
     */
    public PeerBuilder peer(String defaultContext, Map<String, String> environment)
            throws BadOptionException {
        return peer(List.of(defaultContext), environment);
    }

    /**
     * Describes the peer that these options ask for; the caller adds the handler.
     *
     * @param defaultContexts served when no context was given, at least one
     * @param environment where {@link #SECRET_VARIABLE} is looked up, for example {@code
     *     System.getenv()}
     * @return a builder
     * @throws BadOptionException when an option has a value that cannot be used
     */
    public PeerBuilder peer(List<String> defaultContexts, Map<String, String> environment)
            throws BadOptionException {
        PeerBuilder builder = LrwpPeer.builder();
        for (String proxy : proxies) {
            check("--proxy", () -> builder.proxy(ProxyAddress.parse(proxy)));
        }
        for (String context : contexts(defaultContexts)) {
            check("--context", () -> builder.context(context));
        }
        check("--vhost", () -> builder.vhost(vhost));
        check("--concurrency", () -> builder.concurrency(concurrency));
        check("--drain-seconds", () -> builder.drainSeconds(drainSeconds));
        trust.apply(builder);
        byte[] secret = SecretSource.read(secretFile, environment);
        if (secret != null && secretFile != null && trust.provesKey()) {
            throw new BadOptionException("--identity and --secret-file do not go together");
        }
        if (secret != null && !trust.provesKey()) {
            builder.secret(secret);
            if (secretOverLrwp2) {
                builder.versions(ProtocolVersion.LRWP_2, ProtocolVersion.LRWP_3);
            }
        }
        return builder;
    }

    private static void check(String option, Runnable step) throws BadOptionException {
        try {
            step.run();
        } catch (IllegalArgumentException e) {
            throw new BadOptionException(option + ": " + e.getMessage());
        }
    }
}
