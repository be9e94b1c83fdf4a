package org.lrwp.webapp.container;

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
import org.jspecify.annotations.Nullable;
import org.lrwp.webapp.servlet.Container;
import org.lrwp.webapp.servlet.ContainerLink;

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
    private final Http2Watch watch;

    private volatile String observer = "the application cannot be found in the container";
    private volatile @Nullable OtherApplications others;

    private GrizzlyContainer(UnaryOperator<String> check, Http2Watch watch) {
        this.check = check;
        this.watch = watch;
    }

    /**
     * Finds the container that this code runs in.
     *
     * @param check gets the target of a request that the container may fail to decode, and returns
     * @param watch knows the streams of HTTP/2
     * @return GlassFish, or the plain Servlet API elsewhere
     */
    public static Container find(UnaryOperator<String> check, Http2Watch watch) {
        try {
            ClassLoader loader = GrizzlyContainer.class.getClassLoader();
            // Found, not initialised: that reads texts of GlassFish, which no start needs.
            Class.forName(RequestFacade.class.getName(), false, loader);
            Class.forName(NIOConnection.class.getName(), false, loader);
            return new GrizzlyContainer(check, watch);
        } catch (ClassNotFoundException | LinkageError e) {
            LOG.log(Level.INFO, "container-unknown reason={0}", e.toString());
            return Container.PLAIN;
        }
    }

    @Override
    public ContainerLink linkOf(HttpServletRequest request) {
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
                            grizzly.getContext(),
                            grizzly.getResponse().getResponse(),
                            TargetGuard.sentTarget(grizzly),
                            request instanceof ServletRequestWrapper,
                            watch);
                }
            }
        } catch (LinkageError e) {
            if (told.compareAndSet(false, true)) {
                LOG.log(Level.WARNING, "container-not-reachable", e);
            }
        }
        return PLAIN.linkOf(request);
    }

    /**
     * Those of registered contexts stay where they were read, as nothing of their way blocks. All
     * others may block and go to worker threads, and so do requests of HTTP/2.
     */
    private static boolean staysOnSelector(Request request) {
        GivenRequest given = given(request);
        return given != null && given.staysOnSelector();
    }

    /** Whether Grizzly takes what is left of a request's body for the request. */
    private static boolean isDouble(Request request) {
        GivenRequest given = given(request);
        return given != null && !given.begin();
    }

    private static @Nullable GivenRequest given(Request request) {
        ClientReader reader = ReaderStrategy.reader(request.getContext().getConnection());
        return reader == null ? null : reader.given();
    }

    /**
     * Puts the guard before the handler of a listener, at the start, and with the first request
     * after a restart of the listener.
     */
    private void guard(HttpServerFilter filter) {
        if (filter.getHttpHandler() instanceof TargetGuard guard && guard.isOf(this)) {
            return;
        }
        if (guarded.add(filter)) {
            var fresh =
                    new TargetGuard(
                            filter.getHttpHandler(),
                            check,
                            this,
                            GrizzlyContainer::staysOnSelector,
                            GrizzlyContainer::isDouble);
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
            if (context != null) {
                others = context.others();
                observer =
                        context.isBare()
                                ? context.observer()
                                : "the application has a filter, a security constraint or an"
                                        + " authentication module";
            }
            if (context != null && context.isBare()) {
                context.shorten();
                context.add(name, servlet);
                return;
            }
        } catch (LinkageError | RuntimeException e) {
            // Only speed is lost: the container is another than those that were tried.
            LOG.log(Level.INFO, "container-unknown reason={0}", e.toString());
        }
        Container.super.add(application, name, servlet);
    }

    @Override
    public String observer() {
        return observer;
    }

    @Override
    public boolean isOthers(int port, String host, String path) {
        OtherApplications known = others;
        return known != null && known.own(port, host, path);
    }

    @Override
    public boolean mayBlock() {
        return !Threads.isService();
    }

    /** Takes the guards away, so that nothing of this application stays in the container. */
    @Override
    public void close() {
        OtherApplications known = others;
        if (known != null) {
            known.close();
        }
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
