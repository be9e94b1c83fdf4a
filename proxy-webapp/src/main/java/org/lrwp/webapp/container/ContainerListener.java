package org.lrwp.webapp.container;

import com.sun.enterprise.config.serverbeans.Config;
import com.sun.enterprise.v3.services.impl.GrizzlyProxy;
import com.sun.enterprise.v3.services.impl.GrizzlyService;

import org.glassfish.api.admin.ServerEnvironment;
import org.glassfish.grizzly.Transport;
import org.glassfish.grizzly.config.GenericGrizzlyListener;
import org.glassfish.grizzly.config.dom.Http;
import org.glassfish.grizzly.config.dom.NetworkListener;
import org.glassfish.grizzly.config.dom.Protocol;
import org.glassfish.grizzly.filterchain.FilterChain;
import org.glassfish.grizzly.http.server.HttpServerFilter;
import org.glassfish.grizzly.nio.transport.TCPNIOTransport;
import org.glassfish.grizzly.ssl.SSLBaseFilter;
import org.glassfish.hk2.api.ServiceLocator;
import org.glassfish.internal.api.Globals;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * An HTTP listener of the container that runs now. Each listener has a transport and selector
 * threads of its own, and gets new ones whenever one of its settings changes.
 *
 * @param name as the container's configuration has it
 * @param transport its present transport
 * @param limits of its clients' connections
 * @param compresses whether the container may compress answers
 * @param http2 whether the container speaks HTTP/2 on it
 * @param late the container, where it may come after the listener; null where it is there
 */
public record ContainerListener(
        String name,
        TCPNIOTransport transport,
        KeepAliveLimits limits,
        boolean compresses,
        boolean http2,
        @Nullable LateContainer late) {
    private static final String ADMIN = "admin-listener";

    /** Of the setting {@code compression}: what is not this compresses some answers or all. */
    private static final String OFF = "off";

    /** Checks that nothing is missing. */
    public ContainerListener {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(transport, "transport");
        Objects.requireNonNull(limits, "limits");
    }

    /**
     * One of a container that is there.
     *
     * @param name as the container's configuration has it
     * @param transport its present transport
     * @param limits of its clients' connections
     * @param compresses whether the container may compress answers
     * @param http2 whether the container speaks HTTP/2 on it
     */
    public ContainerListener(
            String name,
            TCPNIOTransport transport,
            KeepAliveLimits limits,
            boolean compresses,
            boolean http2) {
        this(name, transport, limits, compresses, http2, null);
    }

    /** Looks for those in the container's configuration that run now, but the administrators'. */
    static List<ContainerListener> all() {
        var found = new ArrayList<ContainerListener>();
        for (Running one : running()) {
            Http settings = one.listener().findProtocol().getHttp();
            found.add(
                    new ContainerListener(
                            one.listener().getName(),
                            one.transport(),
                            KeepAliveLimits.of(settings),
                            !OFF.equals(settings.getCompression()),
                            settings.isHttp2Enabled()));
        }
        return List.copyOf(found);
    }

    /** Whether it speaks TLS with its clients. */
    boolean isSecure() {
        return transport.getProcessor() instanceof FilterChain filters && isSecure(filters);
    }

    /**
     * Says whether the filters of a connection encrypt.
     *
     * @param filters the connection's
     * @return whether one of them does TLS
     */
    public static boolean isSecure(FilterChain filters) {
        return filters.indexOfType(SSLBaseFilter.class) >= 0;
    }

    /** The filters that hand over the requests of all listeners that run, encrypted ones too. */
    static List<HttpServerFilter> filters() {
        var found = new ArrayList<HttpServerFilter>();
        for (Running one : running()) {
            if (one.transport().getProcessor() instanceof FilterChain chain) {
                int index = chain.indexOfType(HttpServerFilter.class);
                if (index >= 0) {
                    found.add((HttpServerFilter) chain.get(index));
                }
            }
        }
        return found;
    }

    /** A listener of the configuration, for clients, and its present transport. */
    private record Running(NetworkListener listener, TCPNIOTransport transport) {}

    private static List<Running> running() {
        ServiceLocator services = Globals.getDefaultHabitat();
        if (services == null) {
            return List.of();
        }
        GrizzlyService grizzly = services.getService(GrizzlyService.class);
        Config config = services.getService(Config.class, ServerEnvironment.DEFAULT_INSTANCE_NAME);
        if (grizzly == null || config == null) {
            return List.of();
        }
        var found = new ArrayList<Running>();
        for (NetworkListener one :
                config.getNetworkConfig().getNetworkListeners().getNetworkListener()) {
            TCPNIOTransport transport = isForClients(one) ? transport(grizzly, one) : null;
            if (transport != null) {
                found.add(new Running(one, transport));
            }
        }
        return found;
    }

    private static boolean isForClients(NetworkListener listener) {
        Protocol protocol = listener.findProtocol();
        return Boolean.parseBoolean(listener.getEnabled())
                && !Boolean.parseBoolean(listener.getJkEnabled())
                && !listener.getName().equals(ADMIN)
                && protocol != null
                && protocol.getHttp() != null;
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
