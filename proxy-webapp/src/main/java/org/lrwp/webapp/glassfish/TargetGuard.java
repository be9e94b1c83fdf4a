package org.lrwp.webapp.glassfish;

import org.glassfish.grizzly.http.server.HttpHandler;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.http.server.RequestExecutorProvider;
import org.glassfish.grizzly.http.server.Response;

import java.util.function.UnaryOperator;

/**
 * Stands before GlassFish's own handler, which answers 500 with a page of its own to a target that
 * it cannot decode (an encoded slash, a NUL, a lone percent sign) before any servlet sees it. Such
 * a target is replaced by one that the servlet refuses in the proxy's way.
 */
final class TargetGuard extends HttpHandler {
    private final HttpHandler inner;
    private final UnaryOperator<String> check;

    /**
     * Creates a guard.
     *
     * @param inner the container's handler
     * @param check gets a target and returns the one to go on with, usually the same
     */
    TargetGuard(HttpHandler inner, UnaryOperator<String> check) {
        this.inner = inner;
        this.check = check;
        setDecodeUrl(false);
    }

    HttpHandler inner() {
        return inner;
    }

    @Override
    public void service(Request request, Response response) throws Exception {
        String target = request.getRequest().getRequestURI();
        if (target.indexOf('%') >= 0 || target.indexOf('\\') >= 0) {
            String checked = check.apply(target);
            if (!checked.equals(target)) {
                request.getRequest().setRequestURI(checked);
            }
        }
        inner.service(request, response);
    }

    @Override
    public RequestExecutorProvider getRequestExecutorProvider() {
        return inner.getRequestExecutorProvider();
    }
}
