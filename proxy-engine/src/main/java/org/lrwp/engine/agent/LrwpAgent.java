package org.lrwp.engine.agent;

import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.engine.audit.AuditTrail;
import org.lrwp.engine.context.ContextAssistantManager;
import org.lrwp.engine.peer.PeerConfig;
import org.lrwp.engine.peer.PeerConnection;
import org.lrwp.engine.peer.PeerEnvironment;
import org.lrwp.engine.peer.RemoteConnection;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.engine.peer.WorkSource;
import org.lrwp.engine.peer.multiplexed.Lrwp3Connection;
import org.lrwp.engine.peer.serial.Lrwp1Connection;
import org.lrwp.engine.time.Deadlines;
import org.lrwp.engine.time.Deadlines.Deadline;
import org.lrwp.engine.time.NanoClock;
import org.lrwp.engine.transport.Link;
import org.lrwp.engine.transport.Transport;
import org.lrwp.protocol.Acknowledgement;
import org.lrwp.protocol.Challenge;
import org.lrwp.protocol.FilterSkipper;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.protocol.Registration;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;

/**
 * The LRWP listener: accepts peers, judges their registration and hands their connections to the
 * contexts. Thread-safe; never blocks but in {@link #start}.
 */
public final class LrwpAgent implements AutoCloseable {
    /** Connections above the limit that may wait for their refusal; more are closed unheard. */
    private static final int MOST_EXCESS = 64;

    private final AgentConfig config;
    private final ContextAssistantManager contexts;
    private final Deadlines deadlines;
    private final PeerEnvironment environment;
    private final PeerCounts counts;
    private final Transport transport;
    private final Transport.Listener listener;
    private final AuditTrail audit;

    private LrwpAgent(
            AgentConfig config,
            ContextAssistantManager contexts,
            NanoClock clock,
            Deadlines deadlines,
            Transport transport,
            AuditTrail audit)
            throws IOException {
        this.config = config;
        this.audit = audit;
        this.contexts = contexts;
        this.deadlines = deadlines;
        this.counts = new PeerCounts(config);
        this.environment =
                new PeerEnvironment(
                        clock,
                        deadlines,
                        new CountedWork(),
                        context -> contexts.config(context).peer());
        this.transport = transport;
        var address = new InetSocketAddress(config.address(), config.port());
        Reception reception = new Reception(new RegistrationRules(config));
        this.listener = transport.listen(address, link -> accept(link, reception));
    }

    /**
     * Opens the listener.
     *
     * @param config where and who
     * @param contexts who gets the connections
     * @param clock the engine's clock
     * @param deadlines the engine's deadlines
     * @param transport where the listener gets its events
     * @param audit takes down who registers, is refused or drains
     * @return the open agent
     * @throws IOException when the port cannot be had
     */
    public static LrwpAgent start(
            AgentConfig config,
            ContextAssistantManager contexts,
            NanoClock clock,
            Deadlines deadlines,
            Transport transport,
            AuditTrail audit)
            throws IOException {
        return new LrwpAgent(config, contexts, clock, deadlines, transport, audit);
    }

    private void accept(Link link, Reception reception) {
        boolean within = counts.add(link.remote().getAddress());
        if (!within && counts.excess() > MOST_EXCESS) {
            counts.remove(link.remote().getAddress());
            link.close();
            return;
        }
        new Handshake(link, reception, !within).start();
    }

    /**
     * Returns where peers dial in.
     *
     * @return local address and port
     */
    public InetSocketAddress address() {
        return listener.address();
    }

    /** Stops listening; registered connections stay. Idempotent. */
    @Override
    public void close() {
        listener.close();
    }

    /** Passes on what connections say, and keeps count of them. */
    private final class CountedWork implements WorkSource {
        @Override
        public void slotFree(PeerConnection connection) {
            contexts.slotFree(connection);
        }

        @Override
        public void drains(PeerConnection connection, String event) {
            audit.record(
                    AuditEvent.done(
                            AuditEvent.Action.DRAIN, Admission.actor(connection), "", event));
        }

        @Override
        public void leaving(PeerConnection connection) {
            contexts.leaving(connection);
        }

        @Override
        public void gone(PeerConnection connection) {
            contexts.gone(connection);
            if (connection instanceof RemoteConnection remote) {
                counts.remove(remote.address());
            }
        }
    }

    private final class Reception implements Handshake.Reception {
        private final RegistrationRules rules;
        private final SecureRandom random = new SecureRandom();

        Reception(RegistrationRules rules) {
            this.rules = rules;
        }

        @Override
        public RegistrationRules rules() {
            return rules;
        }

        @Override
        public AuditTrail audit() {
            return audit;
        }

        @Override
        public Challenge newChallenge() {
            return Challenge.create(random);
        }

        @Override
        public Deadline after(long nanos, Link link, Runnable task) {
            return deadlines.after(nanos, () -> link.execute(task));
        }

        @Override
        public long registrationNanos() {
            return config.registrationTime().toNanos();
        }

        @Override
        public void registered(Link link, Registration registration, FilterSkipper filter) {
            if (registration.version() == ProtocolVersion.LRWP_3) {
                letInMultiplexed(link, registration);
            } else {
                letInSerial(link, registration, filter);
            }
        }

        private void letInMultiplexed(Link link, Registration registration) {
            Secret proved = rules.secret(registration);
            ServedContext first =
                    registration.registersNothing() ? null : ServedContext.of(registration);
            var connection =
                    new Lrwp3Connection(
                            link,
                            first,
                            config.lrwp3().on(transport.status().threads()),
                            environment,
                            new Admission(rules, proved, contexts, audit));
            link.events(connection);
            contexts.admit(connection);
            if (acknowledge(link, connection, registration.version())) {
                connection.start();
            }
        }

        private void letInSerial(Link link, Registration registration, FilterSkipper filter) {
            PeerConfig limits = contexts.config(registration.context()).peer();
            var connection = new Lrwp1Connection(link, registration, limits, environment, filter);
            ServedContext context = ServedContext.of(registration);
            link.events(connection);
            contexts.admit(connection);
            contexts.register(connection, context);
            Admission.log(connection, registration.version(), context);
            audit.record(Admission.registered(connection, registration.version(), context));
            if (acknowledge(link, connection, registration.version())) {
                boolean old = registration.version() == ProtocolVersion.LRWP_1;
                connection.settle(old ? config.settle().toNanos() : 0);
            }
        }

        private boolean acknowledge(Link link, PeerConnection connection, ProtocolVersion version) {
            ByteBuffer bytes = ByteBuffer.wrap(Acknowledgement.encode(version));
            try {
                link.write(new ByteBuffer[] {bytes});
                return true;
            } catch (IOException e) {
                connection.close("acknowledgement failed: " + e.getMessage());
                return false;
            }
        }

        @Override
        public void closed(Link link) {
            counts.remove(link.remote().getAddress());
        }
    }
}
