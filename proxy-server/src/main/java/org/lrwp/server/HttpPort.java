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
import org.glassfish.grizzly.nio.SelectorRunner;
import org.glassfish.grizzly.nio.transport.TCPNIOServerConnection;
import org.glassfish.grizzly.nio.transport.TCPNIOTransport;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The port where clients come in: open only while the application can answer them.
 *
 * <p>The container opens a listener's port long before, and closes it long after, it has an
 * application behind it. So its listener gets a port that nobody knows, which is closed as soon as
 * the container has booted; the real one is opened at the same listener later, and closed earlier.
 * Not thread-safe.
 */
final class HttpPort {
    private static final System.Logger LOG = System.getLogger(HttpPort.class.getName());
    private static final long LONGEST_CLOSE_SECONDS = 2;

    private final TCPNIOTransport transport;
    private @Nullable TCPNIOServerConnection port;

    private HttpPort(TCPNIOTransport transport) {
        this.transport = transport;
    }

    /**
     * Finds the listener and closes the port that the container has opened for it. The container's
     * pages for administrators, which are not protected, go.
     *
     * @param listener its name in the container's configuration
     * @throws GlassFishException when it does not run
     */
    static HttpPort of(GlassFish container, String listener) throws GlassFishException {
        GrizzlyService service = container.getService(GrizzlyService.class);
        Config config = container.getService(Config.class, ServerEnvironment.DEFAULT_INSTANCE_NAME);
        NetworkListener found = config.getNetworkConfig().getNetworkListener(listener);
        if (service.lookupNetworkProxy(found) instanceof GrizzlyProxy proxy
                && proxy.getUnderlyingListener() instanceof GenericGrizzlyListener running
                && running.getTransport() instanceof TCPNIOTransport transport) {
            transport.unbindAll();
            removePages(service);
            return new HttpPort(transport);
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

    /**
     * Lets clients in.
     *
     * @throws IOException when the address cannot be had
     */
    void open(Endpoint where) throws IOException {
        var address = new InetSocketAddress(InetAddress.getByName(where.address()), where.port());
        port = transport.bind(address, transport.getServerConnectionBackLog());
    }

    /**
     * Lets nobody in any more, and has whatever still comes on open connections turned away. Blocks
     * until the system has the port back, or for two seconds.
     */
    void close() {
        TCPNIOServerConnection open = port;
        port = null;
        if (open == null) {
            return;
        }
        SelectorRunner runner = open.getSelectorRunner();
        transport.unbind(open);
        if (transport.getProcessor() instanceof FilterChain chain) {
            int index = chain.indexOfType(HttpServerFilter.class);
            if (index >= 0) {
                ((HttpServerFilter) chain.get(index)).setHttpHandler(new Farewell());
            }
        }
        if (runner != null) {
            awaitClosed(runner);
        }
    }

    /** The system has it back when its selector has looked for events once more. */
    private void awaitClosed(SelectorRunner runner) {
        var looked = new CountDownLatch(1);
        transport
                .getSelectorHandler()
                .execute(
                        runner,
                        () -> {
                            looked.countDown();
                            return true;
                        },
                        null);
        try {
            if (!looked.await(LONGEST_CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.log(Level.WARNING, "http-port-busy");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
