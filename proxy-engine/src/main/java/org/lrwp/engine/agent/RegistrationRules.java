package org.lrwp.engine.agent;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.network.Network;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.protocol.Refusal;
import org.lrwp.protocol.Registration;

import java.net.InetAddress;

/** Says who may register what: docs/protocol.md section 3. Thread-safe. */
final class RegistrationRules {
    private final AgentConfig config;

    RegistrationRules(AgentConfig config) {
        this.config = config;
    }

    /** Checks address, context and version, in the order peers know; null when all is well. */
    @Nullable Refusal check(Registration registration, InetAddress peer) {
        String context = registration.context();
        if (!Network.anyContains(config.networks(), peer)) {
            return Refusal.UNAUTHORIZED_ACCESS;
        }
        boolean reserved = context.equals("/-") || context.startsWith("/-/");
        boolean allowed =
                config.allowedContexts().isEmpty() || config.allowedContexts().contains(context);
        if (reserved || !allowed) {
            return Refusal.NOT_PERMITTED;
        }
        if (secret(registration) != null && registration.version() == ProtocolVersion.LRWP_1) {
            return Refusal.AUTHENTICATION_REQUIRED;
        }
        return null;
    }

    /**
     * The secret that the registration must prove; null for none. A secret covers what lies below
     * its context too: who could register {@code /osp/a} would else take requests of {@code /osp}.
     */
    @Nullable Secret secret(Registration registration) {
        String context = registration.context();
        while (context.length() > 1) {
            Secret secret = config.secrets().get(context);
            if (secret != null) {
                return secret;
            }
            context = context.substring(0, Math.max(context.lastIndexOf('/'), 0));
        }
        return config.secrets().get(registration.context());
    }
}
