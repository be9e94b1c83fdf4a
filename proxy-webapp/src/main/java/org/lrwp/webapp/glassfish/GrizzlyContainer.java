package org.lrwp.webapp.glassfish;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;

import org.apache.catalina.connector.RequestFacade;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.nio.NIOConnection;
import org.lrwp.webapp.servlet.ClientLink;
import org.lrwp.webapp.servlet.Container;

import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * GlassFish 7 and 8. Where a request does not lead to Grizzly's connection, the plain Servlet API
 * has to do.
 */
public final class GrizzlyContainer implements Container {
    private static final System.Logger LOG = System.getLogger(GrizzlyContainer.class.getName());

    private final AtomicBoolean told = new AtomicBoolean();

    private GrizzlyContainer() {}

    /**
     * Finds the container that this code runs in.
     *
     * @return GlassFish, or the plain Servlet API elsewhere
     */
    public static Container find() {
        try {
            Class.forName(RequestFacade.class.getName());
            Class.forName(NIOConnection.class.getName());
            return new GrizzlyContainer();
        } catch (ClassNotFoundException | LinkageError e) {
            LOG.log(Level.INFO, "container-unknown reason={0}", e.toString());
            return Container.PLAIN;
        }
    }

    @Override
    public ClientLink linkOf(HttpServletRequest request) {
        ServletRequest inner = request;
        while (inner instanceof ServletRequestWrapper wrapper) {
            inner = wrapper.getRequest();
        }
        try {
            if (inner instanceof RequestFacade facade) {
                Request grizzly = facade.getUnwrappedCoyoteRequest().getGrizzlyRequest();
                if (grizzly.getContext().getConnection() instanceof NIOConnection connection) {
                    return new GrizzlyLink(connection, grizzly.getResponse().getResponse());
                }
            }
        } catch (LinkageError e) {
            if (told.compareAndSet(false, true)) {
                LOG.log(Level.WARNING, "container-not-reachable", e);
            }
        }
        return ClientLink.PLAIN;
    }
}
