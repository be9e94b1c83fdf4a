package org.lrwp.engine.agent;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.protocol.Refusal;
import org.lrwp.protocol.Registration;
import org.lrwp.protocol.network.Network;

import java.net.InetAddress;

/** Says who may register what: docs/protocol.md section 3. Thread-safe. */
final class RegistrationRules {
    private final AgentConfig config;

    RegistrationRules(AgentConfig config) {
        this.config = config;
    }

    /** Checks address, context and version, in the order peers know; null when all is well. */
    @Nullable Refusal check(Registration registration, InetAddress peer) {
        if (!Network.anyContains(config.networks(), peer)) {
            return Refusal.UNAUTHORIZED_ACCESS;
        }
        if (!registration.registersNothing() && !isPermitted(registration.context())) {
            return Refusal.NOT_PERMITTED;
        }
        if (secret(registration) != null && registration.version() == ProtocolVersion.LRWP_1) {
            return Refusal.AUTHENTICATION_REQUIRED;
        }
        return null;
    }

    /** Whether any peer may serve a context. */
    boolean isPermitted(String context) {
        boolean reserved = context.equals("/-") || context.startsWith("/-/");
        return !reserved
                && (config.allowedContexts().isEmpty()
                        || config.allowedContexts().contains(context));
    }

    /** The secret that the registration must prove; null for none. */
    @Nullable Secret secret(Registration registration) {
        return registration.registersNothing()
                ? config.connectionSecret()
                : secret(registration.context());
    }

    /**
     * The secret of a context; null for none. A secret covers what lies below its context too: who
     * could register {@code /osp/a} would else take requests of {@code /osp}.
     */
    @Nullable Secret secret(String registered) {
        String context = registered;
        while (context.length() > 1) {
            Secret secret = config.secrets().get(context);
            if (secret != null) {
                return secret;
            }
            context = context.substring(0, Math.max(context.lastIndexOf('/'), 0));
        }
        return config.secrets().get(registered);
    }
}
