package org.lrwp.webapp.glassfish;

import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;

import org.apache.catalina.connector.RequestFacade;
import org.glassfish.grizzly.http.server.HttpHandler;
import org.glassfish.grizzly.http.server.HttpServerFilter;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.nio.NIOConnection;
import org.glassfish.grizzly.threadpool.Threads;
import org.lrwp.webapp.servlet.ClientLink;
import org.lrwp.webapp.servlet.Container;
import org.lrwp.webapp.servlet.PeerPaths;

import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * GlassFish 7 and 8. Where a request does not lead to Grizzly's connection, the plain Servlet API
 * has to do.
 */
public final class GrizzlyContainer implements Container {
    private static final System.Logger LOG = System.getLogger(GrizzlyContainer.class.getName());

    private final AtomicBoolean told = new AtomicBoolean();
    private final Set<HttpServerFilter> guarded = ConcurrentHashMap.newKeySet();
    private final Set<TargetGuard> guards = ConcurrentHashMap.newKeySet();
    private final UnaryOperator<String> check;
    private final PeerRequests forPeers;

    /** Whether nobody but the servlet sees the application's requests. */
    private volatile boolean bare;

    private GrizzlyContainer(UnaryOperator<String> check, PeerPaths paths) {
        this.check = check;
        this.forPeers = new PeerRequests(paths);
    }

    /**
     * Finds the container that this code runs in.
     *
     * @param check gets the target of a request that the container may fail to decode, and returns
     * @param paths says what is for a peer
     * @return GlassFish, or the plain Servlet API elsewhere
     */
    public static Container find(UnaryOperator<String> check, PeerPaths paths) {
        try {
            Class.forName(RequestFacade.class.getName());
            Class.forName(NIOConnection.class.getName());
            return new GrizzlyContainer(check, paths);
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
                var coyote = facade.getUnwrappedCoyoteRequest();
                Request grizzly = coyote.getGrizzlyRequest();
                guard(grizzly.getHttpFilter());
                if (grizzly.getContext().getConnection() instanceof NIOConnection connection) {
                    return new GrizzlyLink(
                            connection,
                            grizzly.getResponse().getResponse(),
                            grizzly.getResponse().getOutputBuffer(),
                            TargetGuard.sentTarget(grizzly),
                            request instanceof ServletRequestWrapper,
                            bare && !OwnContext.isObserved(coyote.getHost())
                                    ? LazyStrategy.writer(connection)
                                    : null);
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
     * Puts the guard before the handler of a listener, at the start, and with the first request
     * after a restart of the listener.
     */
    private void guard(HttpServerFilter filter) {
        if (filter.getHttpHandler() instanceof TargetGuard guard && guard.asks(forPeers)) {
            return;
        }
        if (guarded.add(filter)) {
            var fresh = new TargetGuard(filter.getHttpHandler(), check, forPeers);
            guards.add(fresh);
            filter.setHttpHandler(fresh);
        }
    }

    @Override
    public void add(ServletContext application, String name, Servlet servlet) {
        try {
            // Not only with the first request that the container hands over: it may refuse that.
            ContainerListener.filters().forEach(this::guard);
            OwnContext context = OwnContext.find(application);
            if (context != null && context.isBare()) {
                context.shorten();
                context.add(name, servlet);
                bare = true;
                return;
            }
        } catch (LinkageError | RuntimeException e) {
            // Only speed is lost: the container is another than those that were tried.
            LOG.log(Level.INFO, "container-unknown reason={0}", e.toString());
        }
        Container.super.add(application, name, servlet);
    }

    @Override
    public boolean mayBlock() {
        return !Threads.isService();
    }

    /** Takes the guards away, so that nothing of this application stays in the container. */
    @Override
    public void close() {
        guards.forEach(TargetGuard::retire);
        guarded.forEach(GrizzlyContainer::unwrap);
    }

    /** Takes off all that stands aside, also what another copy of this application left there. */
    private static void unwrap(HttpServerFilter filter) {
        HttpHandler handler = filter.getHttpHandler();
        while (handler instanceof Supplier<?> aside && aside.get() instanceof HttpHandler inner) {
            handler = inner;
        }
        filter.setHttpHandler(handler);
    }
}
