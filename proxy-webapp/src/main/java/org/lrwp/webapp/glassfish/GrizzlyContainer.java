package org.lrwp.webapp.glassfish;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;

import org.apache.catalina.connector.RequestFacade;
import org.glassfish.grizzly.http.server.HttpServerFilter;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.nio.NIOConnection;
import org.lrwp.webapp.servlet.ClientLink;
import org.lrwp.webapp.servlet.Container;

import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

/**
 * GlassFish 7 and 8. Where a request does not lead to Grizzly's connection, the plain Servlet API
 * has to do.
 */
public final class GrizzlyContainer implements Container {
    private static final System.Logger LOG = System.getLogger(GrizzlyContainer.class.getName());

    private final AtomicBoolean told = new AtomicBoolean();
    private final Set<HttpServerFilter> guarded = ConcurrentHashMap.newKeySet();
    private final UnaryOperator<String> check;

    private GrizzlyContainer(UnaryOperator<String> check) {
        this.check = check;
    }

    /**
     * Finds the container that this code runs in.
     *
     * @param check gets the target of a request that the container may fail to decode, and returns
     *     the one to go on with
     * @return GlassFish, or the plain Servlet API elsewhere
     */
    public static Container find(UnaryOperator<String> check) {
        try {
            Class.forName(RequestFacade.class.getName());
            Class.forName(NIOConnection.class.getName());
            return new GrizzlyContainer(check);
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
                guard(grizzly.getHttpFilter());
                if (grizzly.getContext().getConnection() instanceof NIOConnection connection) {
                    return new GrizzlyLink(
                            connection,
                            grizzly.getResponse().getResponse(),
                            TargetGuard.sentTarget(grizzly));
                }
            }
        } catch (LinkageError e) {
            if (told.compareAndSet(false, true)) {
                LOG.log(Level.WARNING, "container-not-reachable", e);
            }
        }
        return ClientLink.PLAIN;
    }

    /**
     * Puts the guard before the handler of a listener, at its first request and after a restart.
     */
    private void guard(HttpServerFilter filter) {
        if (filter.getHttpHandler() instanceof TargetGuard) {
            return;
        }
        if (guarded.add(filter)) {
            filter.setHttpHandler(new TargetGuard(filter.getHttpHandler(), check));
        }
    }

    /** Takes the guards away, so that nothing of this application stays in the container. */
    @Override
    public void close() {
        for (HttpServerFilter filter : guarded) {
            if (filter.getHttpHandler() instanceof TargetGuard guard) {
                filter.setHttpHandler(guard.inner());
            }
        }
    }
}
