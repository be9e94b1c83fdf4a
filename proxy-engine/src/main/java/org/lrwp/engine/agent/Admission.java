package org.lrwp.engine.agent;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.audit.AuditActor;
import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.engine.audit.AuditTrail;
import org.lrwp.engine.context.ContextAssistantManager;
import org.lrwp.engine.peer.ContextRegistrar;
import org.lrwp.engine.peer.PeerConnection;
import org.lrwp.engine.peer.PeerText;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.protocol.Refusal;

/**
 * Judges what one LRWP 3 connection wants to serve, by the secret that its handshake proved:
 * docs/protocol.md section 13. Thread-safe.
 */
final class Admission implements ContextRegistrar {
    private static final System.Logger LOG = System.getLogger(Admission.class.getName());

    private final RegistrationRules rules;
    private final @Nullable Secret proved;
    private final ContextAssistantManager contexts;
    private final AuditTrail audit;

    Admission(
            RegistrationRules rules,
            @Nullable Secret proved,
            ContextAssistantManager contexts,
            AuditTrail audit) {
        this.audit = audit;
        this.rules = rules;
        this.proved = proved;
        this.contexts = contexts;
    }

    @Override
    public String identity() {
        return "anonymous";
    }

    @Override
    public void opened(PeerConnection connection) {
        contexts.opened(connection);
    }

    @Override
    public @Nullable String register(PeerConnection connection, ServedContext context) {
        String refusal = refusal(context.context());
        if (refusal == null) {
            contexts.register(connection, context);
            log(connection, ProtocolVersion.LRWP_3, context);
            audit.record(registered(connection, ProtocolVersion.LRWP_3, context));
        } else {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "registration-refused peer={0} context={1} reason=\"{2}\"",
                    connection.peerName(),
                    PeerText.escape(context.context()),
                    refusal);
            audit.record(
                    AuditEvent.refused(
                            AuditEvent.Action.REGISTER,
                            actor(connection),
                            context.context(),
                            refusal));
        }
        return refusal;
    }

    private @Nullable String refusal(String context) {
        if (!rules.isPermitted(context)) {
            return Refusal.NOT_PERMITTED.text();
        }
        Secret needed = rules.secret(context);
        return needed == null || (proved != null && needed.equals(proved))
                ? null
                : "ERROR: Context needs a secret that this connection has not proved";
    }

    @Override
    public void unregister(PeerConnection connection, ServedContext context) {
        contexts.unregister(connection, context);
        LOG.log(
                System.Logger.Level.INFO,
                "peer-unregistered peer={0} context={1} host={2}",
                connection.peerName(),
                PeerText.escape(context.context()),
                PeerText.escape(context.virtualHost()));
    }

    /** Who is at the other end; nobody has proved a name yet. */
    static AuditActor actor(PeerConnection connection) {
        return AuditActor.anonymous(connection.peerName());
    }

    static AuditEvent registered(
            PeerConnection connection, ProtocolVersion version, ServedContext context) {
        String host = context.virtualHost();
        return AuditEvent.done(
                AuditEvent.Action.REGISTER,
                actor(connection),
                context.context(),
                "version=" + version.text() + (host.isEmpty() ? "" : " host=" + host));
    }

    static void log(PeerConnection connection, ProtocolVersion version, ServedContext context) {
        LOG.log(
                System.Logger.Level.INFO,
                "peer-registered peer={0} version={1} context={2} host={3}",
                connection.peerName(),
                version.text(),
                PeerText.escape(context.context()),
                PeerText.escape(context.virtualHost()));
    }
}
