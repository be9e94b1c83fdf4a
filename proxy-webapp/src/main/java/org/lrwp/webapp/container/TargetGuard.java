package org.lrwp.webapp.container;

import org.glassfish.grizzly.http.Method;
import org.glassfish.grizzly.http.server.HttpHandler;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.http.server.RequestExecutorProvider;
import org.glassfish.grizzly.http.server.Response;
import org.glassfish.grizzly.http.util.Header;
import org.jspecify.annotations.Nullable;

import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Stands before GlassFish's own handler, which answers 500 with a page of its own to a target that
 * it cannot decode (an encoded slash, a NUL, a lone percent sign), to one that ends with a dot
 * segment, and to a Host without a name or with a broken port, before any servlet sees it. One
 * without a slash at its begin, which HTTP/2 lets pass, gets no answer at all. Such a target is
 * replaced by one that the servlet refuses in the proxy's way, or by the same with a slash behind
 * its dots, which the container takes.
 *
 * <p>And before Grizzly's doubles: it hands over a request once more when bytes of its body come
 * through its filters while the request is being completed on another thread.
 */
final class TargetGuard extends HttpHandler implements Supplier<@Nullable HttpHandler> {
    private static final int MOST_DIGITS = 5;

    /** What the check never lets pass. */
    private static final String BROKEN = "/%";

    private static final String SENT = "org.lrwp.sent-target";

    private final HttpHandler inner;
    private final UnaryOperator<String> check;
    private final Object owner;
    private final Predicate<Request> forPeers;
    private final Predicate<Request> doubles;
    private final RequestExecutorProvider threads;
    private volatile boolean retired;

    /**
     * Creates a guard.
     *
     * @param inner the container's handler
     * @param check gets a target and returns the one to go on with, usually the same
     * @param owner whose guard it is
     * @param forPeers says which requests must not leave the selector thread
     * @param doubles asked once for each request: whether it was handed over before
     */
    TargetGuard(
            HttpHandler inner,
            UnaryOperator<String> check,
            Object owner,
            Predicate<Request> forPeers,
            Predicate<Request> doubles) {
        this.inner = inner;
        this.check = check;
        this.owner = owner;
        this.forPeers = forPeers;
        this.doubles = doubles;
        this.threads = this::executor;
        setDecodeUrl(false);
    }

    /** Whether it is the guard of one application, not of another copy. */
    boolean isOf(Object who) {
        return owner.equals(who);
    }

    /** From now on it stands aside. */
    HttpHandler retire() {
        retired = true;
        return inner;
    }

    /** The handler behind one that stands aside; null while it does not. Also for other copies. */
    @Override
    public @Nullable HttpHandler get() {
        return retired ? inner : null;
    }

    private @Nullable Executor executor(Request request) {
        return !retired && forPeers.test(request)
                ? Runnable::run
                : inner.getRequestExecutorProvider().getExecutor(request);
    }

    @Override
    public void service(Request request, Response response) throws Exception {
        if (retired) {
            inner.service(request, response);
            return;
        }
        if (doubles.test(request)) {
            // Nobody can tell any more where the next request begins.
            request.getContext().getConnection().terminateSilently();
            return;
        }
        String target = request.getRequest().getRequestURI();
        String host = request.getHeader(Header.Host);
        if (host != null && !isAccepted(host)) {
            request.getRequest().getHeaders().setValue(Header.Host).setString("localhost");
            // A lone percent sign is what the check never lets pass.
            replace(request, check.apply(isPath(target) ? target + "%" : BROKEN));
        } else if (!isPath(target)) {
            if (!isOfServer(request, target)) {
                replaceIfChanged(request, BROKEN);
            }
        } else if (target.indexOf('%') >= 0 || target.indexOf('\\') >= 0 || target.endsWith(".")) {
            replaceIfChanged(request, target);
        }
        inner.service(request, response);
    }

    private static boolean isPath(String target) {
        return target.startsWith("/");
    }

    /** Whether it asks what the server can do: RFC 9110 section 9.3.7. */
    private static boolean isOfServer(Request request, String target) {
        return target.equals("*") && Method.OPTIONS.equals(request.getMethod());
    }

    private void replaceIfChanged(Request request, String target) {
        String checked = check.apply(target);
        if (!checked.equals(target)) {
            replace(request, checked);
        }
    }

    private static void replace(Request request, String target) {
        String query = request.getQueryString();
        String path = request.getRequest().getRequestURI();
        request.setAttribute(SENT, query == null ? path : path + "?" + query);
        request.getRequest().setRequestURI(target);
    }

    /** The target of a request as it was sent, if it was replaced. */
    static @Nullable String sentTarget(Request request) {
        return request.getAttribute(SENT) instanceof String sent ? sent : null;
    }

    /** Whether the container can make a name and a port of a Host field. */
    private static boolean isAccepted(String host) {
        int colon = host.indexOf(':', host.indexOf(']') + 1);
        return !host.isBlank() && (colon < 0 || isPort(host, colon + 1));
    }

    private static boolean isPort(String host, int start) {
        for (int i = start; i < host.length(); i++) {
            if (host.charAt(i) < '0' || host.charAt(i) > '9') {
                return false;
            }
        }
        return host.length() - start <= MOST_DIGITS;
    }

    @Override
    public RequestExecutorProvider getRequestExecutorProvider() {
        return threads;
    }
}
