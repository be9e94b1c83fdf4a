package org.lrwp.cluster;

import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.Dispatcher;
import io.nats.client.ErrorListener;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.transport.tls.TlsReason;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLContext;

/**
 * The bus over core NATS. It dials in the background and again for ever; while it is not connected
 * nothing is kept to be sent later.
 */
final class NatsBus implements Bus {
    private static final System.Logger LOG = System.getLogger(NatsBus.class.getName());
    private static final Duration WAIT = Duration.ofMillis(250);
    private static final Duration PING = Duration.ofSeconds(5);
    private static final Duration DIAL = Duration.ofSeconds(2);
    private static final int NO_RESPONDERS = 503;
    private static final int FOR_EVER = -1;
    private static final int MOST_QUEUED = 10_000;
    private static final int MOST_REASONS = 16;

    private final Subjects subjects;
    private final Listener listener;
    private final ScheduledExecutorService dialer =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("lrwp-cluster-dial").factory());
    private volatile @Nullable Connection connection;
    private volatile boolean up;
    private volatile boolean closed;
    private final Options options;
    private @Nullable Connection joined;
    private boolean complained;
    private volatile boolean alone;
    private final Set<String> reasons = ConcurrentHashMap.newKeySet();

    private NatsBus(ClusterConfig config, Subjects subjects, Listener listener) {
        this.subjects = subjects;
        this.listener = listener;
        this.options = options(config);
    }

    /** Starts to dial. */
    static NatsBus dial(ClusterConfig config, Subjects subjects, Listener listener) {
        var bus = new NatsBus(config, subjects, listener);
        bus.dialer.execute(bus::connect);
        return bus;
    }

    private Options options(ClusterConfig config) {
        Options.Builder builder =
                new Options.Builder()
                        .servers(
                                config.servers().stream().map(URI::toString).toArray(String[]::new))
                        .connectionName("lrwp-proxy " + config.node())
                        .connectionTimeout(DIAL)
                        .maxReconnects(FOR_EVER)
                        .reconnectWait(WAIT)
                        .reconnectBufferSize(0)
                        .pingInterval(PING)
                        .reportNoResponders()
                        .noEcho()
                        .maxMessagesInOutgoingQueue(MOST_QUEUED)
                        .discardMessagesWhenOutgoingQueueFull()
                        .connectionListener(this::changed)
                        .errorListener(new Complaints());
        show(config.access(), builder);
        return builder.build();
    }

    private static void show(ClusterConfig.Access access, Options.Builder builder) {
        ClusterConfig.Login login = access.login();
        if (login != null) {
            builder.userInfo(login.user(), login.password());
        }
        SSLContext tls = access.tls();
        if (tls != null) {
            // Or its certificate would have to be that of an address.
            builder.sslContext(tls).hostnameResolveMode(Options.HostnameResolveMode.Unresolved);
        }
    }

    // ---- The own thread: the library dials again by itself once it was connected, until a server
    // does not let it in any more.

    private void connect() {
        try {
            Nats.connect(options);
        } catch (IOException e) {
            if (!complained) {
                complained = true;
                down(String.valueOf(e.getMessage()));
            }
            again();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void again() {
        try {
            if (!closed) {
                var _ = dialer.schedule(this::connect, WAIT.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (RejectedExecutionException e) {
            // It was closed in between.
        }
    }

    // ---- The library's thread for news of the connection; there is one.

    private void changed(Connection now, ConnectionListener.Events event) {
        connection = now;
        switch (event) {
            case CONNECTED, RECONNECTED, RESUBSCRIBED -> connected(now);
            case DISCONNECTED -> disconnected(now);
            case CLOSED -> {
                disconnected(now);
                ended(now);
            }
            default -> {}
        }
        if (closed) {
            end(now);
        }
    }

    private void connected(Connection now) {
        if (!now.equals(joined)) {
            joined = now;
            subscribe(now);
        }
        if (!up) {
            up = true;
            alone = false;
            reasons.clear();
            listener.up(this);
        }
    }

    private void disconnected(Connection now) {
        if (up) {
            up = false;
            String why = now.getLastError();
            down(why == null || why.isEmpty() ? "the connection has ended" : why);
        }
    }

    private void down(String why) {
        listener.down(why);
        reasons.add(why);
        alone = true;
    }

    /** The library itself says no more than which servers it has dialled. */
    private void failed(Exception failure) {
        String why = TlsReason.of(failure);
        if (alone && reasons.size() < MOST_REASONS && reasons.add(why)) {
            listener.unreached(why);
        }
    }

    private void ended(Connection now) {
        if (now.equals(joined)) {
            joined = null;
            again();
        }
    }

    private void subscribe(Connection now) {
        Dispatcher dispatcher = now.createDispatcher(this::came);
        dispatcher.subscribe(subjects.heartbeats());
        dispatcher.subscribe(subjects.news());
        dispatcher.subscribe(subjects.answers("*"));
        dispatcher.subscribe(subjects.control(subjects.node()));
        dispatcher.subscribe(subjects.alive(subjects.node()));
        // Of two nodes that have the same name by mistake one alone gets a request.
        dispatcher.subscribe(subjects.requests(subjects.node()), "node");
    }

    // ---- The thread of the dispatcher.

    private void came(Message message) {
        if (message.isStatusMessage()) {
            if (message.getStatus().getCode() == NO_RESPONDERS) {
                listener.nobody(message.getSubject());
            }
            return;
        }
        String answers = message.getReplyTo();
        listener.message(message.getSubject(), answers == null ? "" : answers, message.getData());
    }

    // ---- Any thread.

    @Override
    public boolean send(String subject, @Nullable String answers, byte[] bytes) {
        Connection now = connection;
        if (now == null || !up) {
            return false;
        }
        try {
            now.publish(subject, answers, bytes);
            return true;
        } catch (IllegalStateException | IllegalArgumentException e) {
            LOG.log(Level.DEBUG, "cluster-not-sent", e);
            return false;
        }
    }

    @Override
    public void close() {
        closed = true;
        dialer.shutdownNow();
        Connection now = connection;
        if (now != null) {
            end(now);
        }
    }

    private static void end(Connection connection) {
        try {
            connection.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What the library complains of, where the log of the proxy is. */
    private final class Complaints implements ErrorListener {
        @Override
        public void errorOccurred(Connection connection, String error) {
            LOG.log(Level.WARNING, "cluster-nats-error reason=\"{0}\"", error);
        }

        @Override
        public void exceptionOccurred(Connection connection, Exception failure) {
            LOG.log(Level.DEBUG, "cluster-nats-exception", failure);
            failed(failure);
        }

        /** The queue is full. What was dropped has not been heard by anybody. */
        @Override
        public void messageDiscarded(Connection connection, Message message) {
            String answers = message.getReplyTo();
            if (answers != null) {
                listener.nobody(answers);
            }
        }
    }
}
