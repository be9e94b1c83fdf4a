package org.lrwp.engine.agent;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.audit.AuditActor;
import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.engine.audit.AuditTrail;
import org.lrwp.engine.context.ContextAssistantManager;
import org.lrwp.engine.identity.AccessPolicy;
import org.lrwp.engine.identity.CertificatePattern;
import org.lrwp.engine.identity.Principal;
import org.lrwp.engine.peer.ContextRegistrar;
import org.lrwp.engine.peer.PeerConnection;
import org.lrwp.engine.peer.PeerText;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.engine.time.TurnBucket;
import org.lrwp.engine.transport.PeerAddress;
import org.lrwp.protocol.Registration;

import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What one connection has been granted, and may be: by who its peer is, and by the policy of the
 * moment. docs/protocol.md section 17. Thread-safe.
 */
final class Admission implements ContextRegistrar {
    private static final System.Logger LOG = System.getLogger(Admission.class.getName());

    private final RegistrationRules rules;
    private final Registration registration;
    private final Principal who;
    private final PeerAddress from;
    private final TurnBucket turns;
    private final ContextAssistantManager contexts;
    private final AuditTrail audit;
    private final RefusalLines refusals;
    private final AtomicBoolean revoked = new AtomicBoolean();
    private final Map<ServedContext, String> owners = new ConcurrentHashMap<>();

    /**
     * A peer that is let in.
     *
     * @param registration what it said first
     * @param who it has proved to be
     * @param from where it comes from
     */
    record Newcomer(Registration registration, Principal who, PeerAddress from) {}

    /**
     * Creates what one connection is granted.
     *
     * @param rules say what may be registered
     * @param newcomer whose connection it is
     * @param turns the registrations of its identity
     * @param contexts get what it registers
     * @param audit takes down what it registers
     * @param refusals tells the log of what it may not register
     */
    Admission(
            RegistrationRules rules,
            Newcomer newcomer,
            TurnBucket turns,
            ContextAssistantManager contexts,
            AuditTrail audit,
            RefusalLines refusals) {
        this.audit = audit;
        this.refusals = refusals;
        this.rules = rules;
        this.registration = newcomer.registration();
        this.who = newcomer.who();
        this.from = newcomer.from();
        this.turns = turns;
        this.contexts = contexts;
    }

    @Override
    public String identity() {
        return who.name();
    }

    PeerAddress from() {
        return from;
    }

    /** By what its identity is known. */
    String proof() {
        return who.proof();
    }

    @Override
    public void opened(PeerConnection connection) {
        contexts.opened(connection);
    }

    @Override
    public long turnNanos() {
        return turns.take();
    }

    @Override
    public @Nullable String register(PeerConnection connection, ServedContext context) {
        AccessPolicy.Judgement judgement =
                rules.policy().judge(who, context.context(), context.virtualHost());
        if (judgement.isGranted()) {
            owners.put(context, judgement.owner());
            contexts.register(connection, context, judgement.owner());
            tellRegistered(connection, context);
            return null;
        }
        refusals.tell(connection.peerName(), context.context(), judgement.refusal(), who.name());
        audit.record(
                AuditEvent.refused(
                        AuditEvent.Action.REGISTER,
                        actor(connection),
                        context.context(),
                        judgement.refusal()));
        return judgement.refusal();
    }

    @Override
    public void unregister(PeerConnection connection, ServedContext context) {
        owners.remove(context);
        contexts.unregister(connection, context);
        LOG.log(
                System.Logger.Level.INFO,
                "peer-unregistered peer={0} context={1} host={2} identity={3}",
                connection.peerName(),
                PeerText.escape(context.context()),
                PeerText.escape(context.virtualHost()),
                who.name());
    }

    /** Who is at the other end. */
    AuditActor actor(PeerConnection connection) {
        String certificate =
                who instanceof Principal.CertificateHolder(_, X509Certificate shown)
                        ? CertificatePattern.fingerprint(shown)
                        : "";
        return new AuditActor(who.name(), connection.peerName(), certificate);
    }

    /** Takes back what was granted, when it would not be granted now; true the one time it does. */
    boolean revokeIfWrong() {
        return !isStillRight() && revoked.compareAndSet(false, true);
    }

    private boolean isStillRight() {
        AccessPolicy now = rules.policy();
        if (!now.least().permits(registration) || !now.knows(who, from.address(), rules.now())) {
            return false;
        }
        for (Map.Entry<ServedContext, String> one : owners.entrySet()) {
            ServedContext context = one.getKey();
            var judgement = now.judge(who, context.context(), context.virtualHost());
            if (!judgement.owner().equals(one.getValue())) {
                return false;
            }
        }
        return true;
    }

    private void tellRegistered(PeerConnection connection, ServedContext context) {
        String host = context.virtualHost();
        audit.record(
                AuditEvent.done(
                        AuditEvent.Action.REGISTER,
                        actor(connection),
                        context.context(),
                        "version="
                                + registration.versionText()
                                + (host.isEmpty() ? "" : " host=" + host)));
        LOG.log(
                System.Logger.Level.INFO,
                "peer-registered peer={0} version={1} context={2} host={3} identity={4}",
                connection.peerName(),
                registration.versionText(),
                PeerText.escape(context.context()),
                PeerText.escape(context.virtualHost()),
                who.name());
    }
}
