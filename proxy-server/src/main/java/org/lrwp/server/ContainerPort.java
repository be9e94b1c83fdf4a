package org.lrwp.server;

import com.sun.enterprise.config.serverbeans.Config;
import com.sun.enterprise.v3.services.impl.GrizzlyProxy;
import com.sun.enterprise.v3.services.impl.GrizzlyService;

import org.glassfish.api.admin.ServerEnvironment;
import org.glassfish.api.container.Adapter;
import org.glassfish.api.container.EndpointRegistrationException;
import org.glassfish.embeddable.GlassFish;
import org.glassfish.embeddable.GlassFishException;
import org.glassfish.grizzly.config.GenericGrizzlyListener;
import org.glassfish.grizzly.config.dom.NetworkListener;
import org.glassfish.grizzly.filterchain.FilterChain;
import org.glassfish.grizzly.http.server.HttpServerFilter;
import org.glassfish.grizzly.nio.transport.TCPNIOTransport;

/**
 * The port that the container opens for its listener, which nobody may know: clients come in by the
 * server's own listener, and get to this one's filters.
 */
final class ContainerPort {
    private ContainerPort() {}

    /**
     * Finds the listener and closes its port. The container's pages for administrators, which are
     * not protected, go.
     *
     * @param listener its name in the container's configuration
     * @return its transport, which runs and has no port
     * @throws GlassFishException when it does not run
     */
    static TCPNIOTransport close(GlassFish container, String listener) throws GlassFishException {
        GrizzlyService service = container.getService(GrizzlyService.class);
        Config config = container.getService(Config.class, ServerEnvironment.DEFAULT_INSTANCE_NAME);
        NetworkListener found = config.getNetworkConfig().getNetworkListener(listener);
        if (service.lookupNetworkProxy(found) instanceof GrizzlyProxy proxy
                && proxy.getUnderlyingListener() instanceof GenericGrizzlyListener running
                && running.getTransport() instanceof TCPNIOTransport transport) {
            transport.unbindAll();
            removePages(service);
            return transport;
        }
        throw new GlassFishException("the container has no HTTP listener");
    }

    private static void removePages(GrizzlyService service) throws GlassFishException {
        try {
            for (Adapter page : service.getServiceLocator().getAllServices(Adapter.class)) {
                if (page.isRegistered()) {
                    service.unregisterEndpoint(page.getContextRoot());
                    page.setRegistered(false);
                }
            }
        } catch (EndpointRegistrationException e) {
            throw new GlassFishException("the container keeps its own pages", e);
        }
    }

    /** Has whatever still comes on open connections refused. */
    static void turnAway(TCPNIOTransport transport) {
        if (transport.getProcessor() instanceof FilterChain chain) {
            int index = chain.indexOfType(HttpServerFilter.class);
            if (index >= 0) {
                ((HttpServerFilter) chain.get(index)).setHttpHandler(new Farewell());
            }
        }
    }
}
