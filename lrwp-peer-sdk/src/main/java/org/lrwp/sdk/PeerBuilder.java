package org.lrwp.sdk;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.LengthField;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Describes a peer and connects it. Needed are a handler and at least one context; everything else
 * has a default. Not thread-safe; may be used for several peers.
 */
public final class PeerBuilder {
    private static final int MAX_CONCURRENCY = 10_000;

    private final Set<ProxyAddress> proxies = new LinkedHashSet<>();
    private final Set<String> contexts = new LinkedHashSet<>();
    private String virtualHost = "";
    private int concurrency = 1;
    private @Nullable Secret secret;
    private @Nullable RequestHandler handler;
    private PeerListener listener = PeerListener.logging();
    private PeerSettings.Limits limits = new PeerSettings.Limits(262_144, LengthField.MAX_VALUE);
    private PeerTimes times = PeerTimes.defaults();
    private PeerSettings.Surroundings surroundings =
            new PeerSettings.Surroundings(
                    System::nanoTime,
                    // Each draw takes the generator of the drawing thread.
                    () -> ThreadLocalRandom.current().nextLong(),
                    host -> List.of(InetAddress.getAllByName(host)));

    PeerBuilder() {}

    /**
     * Adds a proxy. May be called several times; without any it is {@code 127.0.0.1:1081}.
     *
     * @param hostAndPort {@code HOST:PORT}; a name means every address it has, its loopback
     *     addresses together count as one; it is looked up again after each loss
     * @return this builder
     * @throws IllegalArgumentException when it is not an address
     */
    public PeerBuilder proxy(String hostAndPort) {
        return proxy(ProxyAddress.parse(hostAndPort));
    }

    /**
     * Adds a proxy. May be called several times; without any it is {@code 127.0.0.1:1081}.
     *
     * @param proxy where it listens
     * @return this builder
     */
    public PeerBuilder proxy(ProxyAddress proxy) {
        proxies.add(proxy);
        return this;
    }

    /**
     * Adds a context to serve. May be called several times, at least once.
     *
     * @param context {@code /osp} for the paths below it, {@code .ext} for paths that end so,
     *     {@code /} for what nobody else serves; a missing leading {@code /} is added
     * @return this builder
     * @throws IllegalArgumentException when it is empty
     */
    public PeerBuilder context(String context) {
        if (context.isBlank()) {
            throw new IllegalArgumentException("the context is empty");
        }
        contexts.add(context.startsWith("/") || context.startsWith(".") ? context : "/" + context);
        return this;
    }

    /**
     * Sets the only host to serve.
     *
     * @param host a host name as the proxy knows it; empty, the default, for every host
     * @return this builder
     */
    public PeerBuilder virtualHost(String host) {
        virtualHost = host;
        return this;
    }

    /**
     * Sets how many requests of a context may be under way at once.
     *
     * @param connections connections to each address and context, 1 (the default) to 10,000
     * @return this builder
     * @throws IllegalArgumentException when it is out of range
     */
    public PeerBuilder concurrency(int connections) {
        if (connections < 1 || connections > MAX_CONCURRENCY) {
            throw new IllegalArgumentException(
                    "concurrency " + connections + " is not within 1 to " + MAX_CONCURRENCY);
        }
        concurrency = connections;
        return this;
    }

    /**
     * Sets the secret of the contexts. The peer then speaks LRWP 2.0 and answers the proxy's
     * challenge; whoever overhears that learns the secret.
     *
     * @param text the secret, sent as UTF-8; not empty
     * @return this builder
     * @throws IllegalArgumentException when it is empty
     */
    public PeerBuilder secret(String text) {
        return secret(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Sets the secret of the contexts. The peer then speaks LRWP 2.0 and answers the proxy's
     * challenge; whoever overhears that learns the secret.
     *
     * @param octets the secret, copied; not empty
     * @return this builder
     * @throws IllegalArgumentException when it is empty
     */
    public PeerBuilder secret(byte[] octets) {
        secret = new Secret(octets);
        return this;
    }

    /**
     * Sets what answers the requests.
     *
     * @param requestHandler called on virtual threads, several at once when there are several
     *     connections
     * @return this builder
     */
    public PeerBuilder handler(RequestHandler requestHandler) {
        handler = requestHandler;
        return this;
    }

    /**
     * Sets who hears what happens to the connections.
     *
     * @param peerListener instead of {@link PeerListener#logging()}
     * @return this builder
     */
    public PeerBuilder listener(PeerListener peerListener) {
        listener = peerListener;
        return this;
    }

    /**
     * Limits the env block of a request; above it the connection is closed.
     *
     * @param octets 1 to 999,999,999; default 262,144
     * @return this builder
     * @throws IllegalArgumentException when it is out of range
     */
    public PeerBuilder environmentLimit(int octets) {
        checkLimit(octets, 1);
        limits = new PeerSettings.Limits(octets, limits.body());
        return this;
    }

    /**
     * Limits the body of a request; above it the body is dropped and the client gets 413.
     *
     * @param octets 0 to 999,999,999; default 999,999,999
     * @return this builder
     * @throws IllegalArgumentException when it is out of range
     */
    public PeerBuilder bodyLimit(long octets) {
        checkLimit(octets, 0);
        limits = new PeerSettings.Limits(limits.environment(), octets);
        return this;
    }

    private static void checkLimit(long octets, long least) {
        if (octets < least || octets > LengthField.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "limit " + octets + " is not within " + least + " to " + LengthField.MAX_VALUE);
        }
    }

    /**
     * Sets how long things may take.
     *
     * @param peerTimes instead of {@link PeerTimes#defaults()}
     * @return this builder
     */
    public PeerBuilder times(PeerTimes peerTimes) {
        times = peerTimes;
        return this;
    }

    PeerBuilder surroundings(PeerSettings.Surroundings replaced) {
        surroundings = replaced;
        return this;
    }

    /**
     * Connects the peer. Returns at once: the proxies are dialled on threads of the peer's own, for
     * ever, until it is closed.
     *
     * @return the peer; the caller closes it
     * @throws IllegalStateException when there is no handler or no context
     * @throws IllegalArgumentException when a context or the virtual host is longer than 200 octets
     */
    public LrwpPeer connect() {
        RequestHandler answering = handler;
        if (answering == null) {
            throw new IllegalStateException("a peer needs a handler");
        }
        if (contexts.isEmpty()) {
            throw new IllegalStateException("a peer needs a context");
        }
        List<ProxyAddress> dialled =
                proxies.isEmpty()
                        ? List.of(new ProxyAddress("127.0.0.1", ProxyAddress.DEFAULT_PORT))
                        : List.copyOf(proxies);
        PeerSettings settings =
                new PeerSettings(
                        dialled,
                        List.copyOf(contexts),
                        virtualHost,
                        concurrency,
                        secret,
                        answering,
                        listener,
                        limits,
                        times,
                        surroundings);
        settings.contexts().forEach(settings::registration);
        return LrwpPeer.start(settings);
    }
}
