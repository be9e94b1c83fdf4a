package org.lrwp.sdk;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.IdentityKey;
import org.lrwp.protocol.LengthField;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.protocol.UpgradeNames;
import org.lrwp.protocol.frame.PeerSettings;
import org.lrwp.sdk.tls.PeerTls;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Describes a peer and connects it. Needed are a handler and at least one context; everything else
 * has a default. Not thread-safe; may be used for several peers.
 */
public final class PeerBuilder {
    private static final int MAX_CONCURRENCY = 65_536;
    private static final long MAX_WINDOW = 1_000_000_000;

    private final Set<ProxyAddress> proxies = new LinkedHashSet<>();
    private final Set<String> contexts = new LinkedHashSet<>();
    private String vhost = "";
    private int concurrency = 1;
    private @Nullable Secret secret;
    private @Nullable PeerIdentity identity;
    private @Nullable PeerTls tls;
    private @Nullable PeerHandler handler;
    private @Nullable Admission admit;
    private @Nullable ProtocolVersion oldest;
    private ProtocolVersion newest = ProtocolVersion.LRWP_3;
    private String name = "lrwp-peer-sdk";
    private long window = 262_144;
    private boolean repeatable;
    private boolean stream;
    private UpgradeNames upgrades = UpgradeNames.NONE;
    private PeerListener listener = PeerListener.logging();
    private int maxEnvironment = 262_144;
    private long maxBody = LengthField.MAX_VALUE;
    private PeerTimes times = PeerTimes.defaults();
    private double drainSeconds = 30;
    private PeerConfig.Surroundings surroundings =
            new PeerConfig.Surroundings(
                    System::nanoTime,
                    // Each draw takes the generator of the drawing thread.
                    () -> ThreadLocalRandom.current().nextLong(),
                    host -> List.of(InetAddress.getAllByName(host)));

    PeerBuilder() {}

    /**
     * Adds a proxy. May be called several times; without any it is {@code 127.0.0.1:1081}.
     *
     * @param hostAndPort {@code HOST:PORT}; a name means every address it has, its loopback
     *     addresses together count as one; it is looked up again after each loss and every 30 s
     *     ({@link PeerTimes#lookup}). Or {@code unix:/PATH}, the Unix domain socket of a proxy on
     *     this host ({@code agent.socket})
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
        contexts.add(contextName(context));
        return this;
    }

    static String contextName(String context) {
        if (context.isBlank()) {
            throw new IllegalArgumentException("the context is empty");
        }
        return context.startsWith("/") || context.startsWith(".") ? context : "/" + context;
    }

    /**
     * Sets the only host to serve.
     *
     * @param host a host name as the proxy knows it; empty, the default, for every host
     * @return this builder
     */
    public PeerBuilder vhost(String host) {
        vhost = host;
        return this;
    }

    /**
     * Sets how many requests may be under way at once, over all proxies. Each proxy may send so
     * many; what they send together beyond it waits here, not started. {@link
     * LrwpPeer#concurrency(int)} changes it later.
     *
     * @param requests 1 (the default) to 65,536; with LRWP 1 and 2 that many connections to each
     *     proxy for each context
     * @return this builder
     * @throws IllegalArgumentException when it is out of range
     */
    public PeerBuilder concurrency(int requests) {
        checkConcurrency(requests, 1);
        concurrency = requests;
        return this;
    }

    static void checkConcurrency(int requests, int least) {
        if (requests < least || requests > MAX_CONCURRENCY) {
            throw new IllegalArgumentException(
                    "concurrency "
                            + requests
                            + " is not within "
                            + least
                            + " to "
                            + MAX_CONCURRENCY);
        }
    }

    /**
     * Sets the secret of the contexts. LRWP 3 proves it without telling it, so a peer with a secret
     * speaks nothing older unless {@link #versions} allows LRWP 2: whoever overhears that, or plays
     * the proxy, learns the secret.
     *
     * @param text the secret, sent as UTF-8; not empty
     * @return this builder
     * @throws IllegalArgumentException when it is empty
     */
    public PeerBuilder secret(String text) {
        return secret(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Sets the secret of the contexts. LRWP 3 proves it without telling it, so a peer with a secret
     * speaks nothing older unless {@link #versions} allows LRWP 2: whoever overhears that, or plays
     * the proxy, learns the secret.
     *
     * @param bytes the secret, copied; not empty
     * @return this builder
     * @throws IllegalArgumentException when it is empty
     */
    public PeerBuilder secret(byte[] bytes) {
        secret = new Secret(bytes);
        return this;
    }

    /**
     * Sets who the peer is, and the key by which it shows that. The proxy shows that it has the
     * same key. Such a peer speaks LRWP 3.1 and nothing else, and takes no {@link #secret}.
     *
     * @param name of the identity in the proxy's configuration: 1 to 64 letters, digits, {@code .},
     *     {@code _} and {@code -}
     * @param keyId which of the identity's keys this is: the same characters
     * @param keyFile holds the key, at least 32 random bytes written as hexadecimal digits; only
     *     its owner may touch it. Read now, once
     * @return this builder
     * @throws IllegalArgumentException when a name cannot be sent, others may use the file, or it
     *     holds no such key
     * @throws UncheckedIOException when the file cannot be read
     */
    public PeerBuilder identity(String name, String keyId, Path keyFile) {
        try {
            identity = PeerIdentity.read(name, keyId, keyFile);
        } catch (IOException e) {
            throw new UncheckedIOException(keyFile + " cannot be read", e);
        }
        return this;
    }

    /**
     * Sets who the peer is, and the key by which it shows that, as {@link #identity(String, String,
     * Path)} does.
     *
     * @param name of the identity in the proxy's configuration
     * @param keyId which of the identity's keys this is
     * @param key the key
     * @return this builder
     * @throws IllegalArgumentException when a name cannot be sent
     */
    public PeerBuilder identity(String name, String keyId, IdentityKey key) {
        identity = new PeerIdentity(name, keyId, key);
        return this;
    }

    /**
     * Dials inside TLS 1.3: for proxies that listen for it ({@code agent.tls.port}). The proxy's
     * certificate is checked, and so is that it is for the host of {@link #proxy(String)}. Blocks
     * on the files.
     *
     * @param rules whom the peer trusts, and what it shows
     * @return this builder
     * @throws IllegalArgumentException when a file cannot be used; the message names it
     */
    public PeerBuilder tls(PeerTls rules) {
        rules.check();
        tls = rules;
        return this;
    }

    /**
     * Sets what answers the requests.
     *
     * @param requestHandler called on virtual threads where the Java runtime has them, several at
     *     once when the concurrency is above one
     * @return this builder
     */
    public PeerBuilder handler(RequestHandler requestHandler) {
        handler = new PeerHandler.Blocking(requestHandler);
        return this;
    }

    /**
     * Sets what answers the requests, by events instead of waiting: for programs that move data.
     *
     * @param exchangeHandler instead of a {@link #handler}
     * @return this builder
     */
    public PeerBuilder exchangeHandler(ExchangeHandler exchangeHandler) {
        handler = new PeerHandler.Asynchronous(exchangeHandler);
        return this;
    }

    /**
     * Sets what may refuse requests before they count as started; another peer gets them then. With
     * LRWP 1 and 2 the client gets 503.
     *
     * @param judge asked before the handler
     * @return this builder
     */
    public PeerBuilder admit(Admission judge) {
        admit = judge;
        return this;
    }

    /**
     * Sets what the peer calls itself in the proxy's status and log.
     *
     * @param text ISO-8859-1 without controls, at most 200 characters
     * @return this builder
     * @throws IllegalArgumentException when it cannot be sent
     */
    public PeerBuilder name(String text) {
        boolean sendable = text.chars().allMatch(c -> c >= ' ' && c <= 0xFF);
        if (!sendable || text.length() > PeerSettings.MAX_NAME) {
            throw new IllegalArgumentException("the name cannot be sent");
        }
        name = text;
        return this;
    }

    /**
     * Says whether requests may be repeated without the proxy knowing which ones have been started.
     * Else it is told before a handler is entered, and gives requests that were not started to
     * another peer whatever their method, should this one go.
     *
     * @param untold true saves a frame for each request and lets handlers refuse by {@link
     *     RequestRefusedException}; a request that is not idempotent then gets 502 when its
     *     connection breaks before the answer. Default false
     * @return this builder
     */
    public PeerBuilder repeatable(boolean untold) {
        repeatable = untold;
        return this;
    }

    /**
     * Asks the proxy for requests whose body is still on its way, and to hold answers back when a
     * client takes them slowly: for bodies that are larger than what the proxy should keep. The
     * price is that a slow client holds one of the peer's places. Without it the proxy hands over
     * whole requests, and takes answers as fast as they come. LRWP 1 and 2 know whole requests
     * only.
     *
     * @param whileTheyCome default false
     * @return this builder
     */
    public PeerBuilder stream(boolean whileTheyCome) {
        stream = whileTheyCome;
        return this;
    }

    /**
     * Sets how many bytes of a request's body the proxy may send before the handler has read any.
     *
     * @param bytes 1 to 1,000,000,000; default 262,144. This much memory may be in use for each
     *     request
     * @return this builder
     * @throws IllegalArgumentException when it is out of range
     */
    public PeerBuilder window(long bytes) {
        if (bytes < 1 || bytes > MAX_WINDOW) {
            throw new IllegalArgumentException(
                    "window " + bytes + " is not within 1 to " + MAX_WINDOW);
        }
        window = bytes;
        return this;
    }

    /**
     * Sets which versions of LRWP the peer speaks. The newest is tried first, at each dialling.
     *
     * @param least the oldest version; default 1.0, with a {@link #secret} 3.0. LRWP 2 gives the
     *     secret to whoever asks for it, LRWP 1 has none: with a secret it is never spoken
     * @param most the newest version; default 3.0
     * @return this builder
     * @throws IllegalArgumentException when the oldest is newer than the newest
     */
    public PeerBuilder versions(ProtocolVersion least, ProtocolVersion most) {
        if (least.compareTo(most) > 0) {
            throw new IllegalArgumentException(least + " is newer than " + most);
        }
        oldest = least;
        newest = most;
        return this;
    }

    /**
     * Sets who hears what happens to the connections.
     *
     * @param peerListener instead of {@link #log} and of {@link PeerListener#logging()}, the
     *     default
     * @return this builder
     */
    public PeerBuilder listener(PeerListener peerListener) {
        listener = peerListener;
        return this;
    }

    /**
     * Sets who gets the lines of the log: what {@link PeerListener#logging()} writes from INFO on.
     *
     * @param lines called on the threads of connections, several at once; instead of a {@link
     *     #listener}
     * @return this builder
     */
    public PeerBuilder log(Consumer<String> lines) {
        listener = new LoggingListener(new LineLogger(lines));
        return this;
    }

    /**
     * Limits the env block of a request; above it the connection is closed.
     *
     * @param bytes 1 to 999,999,999; default 262,144
     * @return this builder
     * @throws IllegalArgumentException when it is out of range
     */
    public PeerBuilder maxEnvironment(int bytes) {
        checkLimit(bytes, 1);
        maxEnvironment = bytes;
        return this;
    }

    /**
     * Limits the body of a request; above it the body is dropped and the client gets 413.
     *
     * @param bytes 0 to 999,999,999; default 999,999,999
     * @return this builder
     * @throws IllegalArgumentException when it is out of range
     */
    public PeerBuilder maxBody(long bytes) {
        checkLimit(bytes, 0);
        maxBody = bytes;
        return this;
    }

    private static void checkLimit(long bytes, long least) {
        if (bytes < least || bytes > LengthField.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "limit " + bytes + " is not within " + least + " to " + LengthField.MAX_VALUE);
        }
    }

    /**
     * Sets how long answers under way may take when the peer leaves by {@link LrwpPeer#close()};
     * then they are cut.
     *
     * @param seconds 0.001 to 86,400, one day; default 30
     * @return this builder
     * @throws IllegalArgumentException when it is out of range
     */
    public PeerBuilder drainSeconds(double seconds) {
        if (!(seconds >= 0.001 && seconds <= 86_400)) {
            throw new IllegalArgumentException(
                    "drainSeconds " + seconds + " is not within 0.001 to 86400");
        }
        drainSeconds = seconds;
        return this;
    }

    /**
     * Sets how long other things may take.
     *
     * @param peerTimes instead of {@link PeerTimes#defaults()}
     * @return this builder
     */
    public PeerBuilder times(PeerTimes peerTimes) {
        times = peerTimes;
        return this;
    }

    PeerBuilder surroundings(PeerConfig.Surroundings replaced) {
        surroundings = replaced;
        return this;
    }

    /**
     * Says which protocols the peer takes instead of HTTP; without it none. {@link
     * RequestHead#offers} then says which requests offer one. Each tunnel takes one of the peer's
     * {@link #concurrency}. Needs LRWP 3.
     *
     * @param protocols for example {@code websocket}, separated by commas
     * @return this builder
     * @throws IllegalArgumentException when it is not a list of names
     */
    public PeerBuilder upgrades(String protocols) {
        upgrades = UpgradeNames.of(protocols);
        return this;
    }

    /**
     * Connects the peer. Returns at once: the proxies are dialled on threads of the peer's own, for
     * ever, until it is closed.
     *
     * @return the peer; the caller closes it
     * @throws IllegalStateException when there is no handler or no context, or an identity does not
     *     go with a secret or the versions
     * @throws IllegalArgumentException when a context or the virtual host is longer than 200 bytes
     */
    public LrwpPeer connect() {
        PeerHandler answering = handler;
        if (answering == null) {
            throw new IllegalStateException("a peer needs a handler");
        }
        if (contexts.isEmpty()) {
            throw new IllegalStateException("a peer needs a context");
        }
        if (identity != null && (secret != null || newest != ProtocolVersion.LRWP_3)) {
            throw new IllegalStateException(
                    "an identity is proved by its key, in LRWP 3.1: no secret, no older version");
        }
        if (tls != null && proxies.stream().anyMatch(ProxyAddress::isSocket)) {
            throw new IllegalStateException("there is no TLS at a Unix domain socket");
        }
        PeerConfig config =
                new PeerConfig(
                        proxies.isEmpty()
                                ? List.of(new ProxyAddress("127.0.0.1", ProxyAddress.DEFAULT_PORT))
                                : List.copyOf(proxies),
                        new AtomicReference<>(new Demand(List.copyOf(contexts), concurrency)),
                        new Places(concurrency),
                        vhost,
                        secret,
                        identity,
                        answering,
                        admit,
                        listener,
                        wire(),
                        new PeerConfig.Limits(maxEnvironment, maxBody),
                        times,
                        Duration.ofMillis(Math.round(drainSeconds * 1000)),
                        surroundings);
        config.contexts().forEach(config::check);
        return LrwpPeer.start(config);
    }

    private PeerConfig.Wire wire() {
        ProtocolVersion least = secret == null ? ProtocolVersion.LRWP_1 : ProtocolVersion.LRWP_3;
        ProtocolVersion most = newest;
        if (oldest != null) {
            least = oldest;
        }
        if (secret != null && most == ProtocolVersion.LRWP_1) {
            // Version 1 has no way to show a secret.
            most = ProtocolVersion.LRWP_2;
        }
        // Equal for all connections of this peer, and for none of another one.
        String instance = HexFormat.of().toHexDigits(surroundings.random().nextLong());
        return new PeerConfig.Wire(
                least, most, name, window, !repeatable, stream, upgrades, instance, tls);
    }
}
