package org.lrwp.webapp.glassfish;

import com.sun.enterprise.config.serverbeans.Config;
import com.sun.enterprise.v3.services.impl.GrizzlyProxy;
import com.sun.enterprise.v3.services.impl.GrizzlyService;

import org.glassfish.api.admin.ServerEnvironment;
import org.glassfish.grizzly.Transport;
import org.glassfish.grizzly.config.GenericGrizzlyListener;
import org.glassfish.grizzly.config.dom.Http;
import org.glassfish.grizzly.config.dom.NetworkListener;
import org.glassfish.grizzly.config.dom.Protocol;
import org.glassfish.grizzly.nio.transport.TCPNIOTransport;
import org.glassfish.hk2.api.ServiceLocator;
import org.glassfish.internal.api.Globals;
import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * A plain HTTP listener of the container that runs now. Each listener has a transport and selector
 * threads of its own, and gets new ones whenever one of its settings changes.
 *
 * @param name as the container's configuration has it
 * @param transport its present transport
 * @param limits of its clients' connections
 * @param compresses whether the container may compress answers
 */
record ContainerListener(
        String name, TCPNIOTransport transport, KeepAliveLimits limits, boolean compresses) {
    private static final String ADMIN = "admin-listener";

    /** Of the setting {@code compression}: what is not this compresses some answers or all. */
    private static final String OFF = "off";

    ContainerListener {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(transport, "transport");
        Objects.requireNonNull(limits, "limits");
    }

    /**
     * Looks for the first one in the container's configuration that neither encrypts nor is the
     * administrators'.
     *
     * @return null when there is none, or it does not run at present
     */
    static @Nullable ContainerListener find() {
        ServiceLocator services = Globals.getDefaultHabitat();
        if (services == null) {
            return null;
        }
        GrizzlyService grizzly = services.getService(GrizzlyService.class);
        Config config = services.getService(Config.class, ServerEnvironment.DEFAULT_INSTANCE_NAME);
        if (grizzly == null || config == null) {
            return null;
        }
        for (NetworkListener one :
                config.getNetworkConfig().getNetworkListeners().getNetworkListener()) {
            TCPNIOTransport transport = isPlain(one) ? transport(grizzly, one) : null;
            if (transport != null) {
                Http settings = one.findProtocol().getHttp();
                return new ContainerListener(
                        one.getName(),
                        transport,
                        KeepAliveLimits.of(settings),
                        !OFF.equals(settings.getCompression()));
            }
        }
        return null;
    }

    private static boolean isPlain(NetworkListener listener) {
        Protocol protocol = listener.findProtocol();
        return Boolean.parseBoolean(listener.getEnabled())
                && !Boolean.parseBoolean(listener.getJkEnabled())
                && !listener.getName().equals(ADMIN)
                && protocol != null
                && protocol.getHttp() != null
                && !Boolean.parseBoolean(protocol.getSecurityEnabled());
    }

    private static @Nullable TCPNIOTransport transport(
            GrizzlyService grizzly, NetworkListener listener) {
        if (grizzly.lookupNetworkProxy(listener) instanceof GrizzlyProxy proxy
                && proxy.getUnderlyingListener() instanceof GenericGrizzlyListener running
                && running.getTransport() instanceof TCPNIOTransport transport
                && transport.getState().getState() == Transport.State.STARTED) {
            return transport;
        }
        return null;
    }
}
