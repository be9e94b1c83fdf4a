package org.lrwp.webapp.servlet;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.MappingMatch;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.MalformedURLException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What no context serves: welcome files, static files and JSPs of the web application, else 404.
 * The container's default servlet does the work; behind a {@code "/*"} servlet it needs help with
 * welcome files and JSPs. Its error pages are replaced by the proxy's own errors. Runs on the
 * container's threads, as blocking as the container's servlets are.
 */
final class Fallback {
    private static final List<String> WELCOME = List.of("index.html", "index.htm", "index.jsp");

    private final ServletContext context;

    Fallback(ServletContext context) {
        this.context = context;
    }

    /**
     * Answers a request.
     *
     * @param guarded takes the answer
     * @param path the path below the context root, one byte per character
     */
    void answer(HttpServletRequest request, FallbackResponse guarded, String path)
            throws IOException, ServletException {
        if (path.equals("*")) {
            guarded.setHeader("Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
            guarded.setContentLength(0);
            return;
        }
        String resource = resource(utf8(path));
        if (resource == null) {
            guarded.sendError(HttpServletResponse.SC_NOT_FOUND);
        } else if (isFolderWithoutSlash(resource)) {
            String query = request.getQueryString();
            guarded.setStatus(HttpServletResponse.SC_MOVED_PERMANENTLY);
            guarded.setHeader(
                    "Location", request.getRequestURI() + "/" + (query == null ? "" : "?" + query));
            guarded.setContentLength(0);
        } else {
            dispatcher(resource.endsWith(".jsp") ? "jsp" : "default")
                    .forward(new Located(request, resource), guarded);
        }
    }

    private static String utf8(String bytes) {
        return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    /** The resource that a path means; null when it must not be served. */
    private @Nullable String resource(String path) throws MalformedURLException {
        String lower = path.toLowerCase(Locale.ROOT);
        boolean inside =
                (lower + "/").startsWith("/web-inf/") || (lower + "/").startsWith("/meta-inf/");
        boolean sourceOfJsp = lower.contains(".jsp") && !path.endsWith(".jsp");
        if (inside || sourceOfJsp) {
            return null;
        }
        if (path.endsWith("/")) {
            for (String name : WELCOME) {
                if (context.getResource(path + name) != null) {
                    return path + name;
                }
            }
        }
        return path;
    }

    private boolean isFolderWithoutSlash(String path) {
        if (path.endsWith("/")) {
            return false;
        }
        Set<String> inside = context.getResourcePaths(path + "/");
        return inside != null && !inside.isEmpty();
    }

    private RequestDispatcher dispatcher(String servlet) throws ServletException {
        RequestDispatcher dispatcher = context.getNamedDispatcher(servlet);
        if (dispatcher == null) {
            throw new ServletException("the container has no servlet named " + servlet);
        }
        return dispatcher;
    }

    /** A request for another resource than its target says. */
    private static final class Located extends HttpServletRequestWrapper {
        private final String path;

        Located(HttpServletRequest request, String path) {
            super(request);
            this.path = path;
        }

        @Override
        public String getServletPath() {
            return path;
        }

        @Override
        public @Nullable String getPathInfo() {
            return null;
        }

        /** Jetty asks it where the path of the resource is; there may be none in others. */
        @Override
        public HttpServletMapping getHttpServletMapping() {
            return DefaultMapping.INSTANCE;
        }
    }

    /** That of the default servlet. */
    private enum DefaultMapping implements HttpServletMapping {
        INSTANCE;

        @Override
        public String getMatchValue() {
            return "";
        }

        @Override
        public String getPattern() {
            return "/";
        }

        @Override
        public String getServletName() {
            return "default";
        }

        @Override
        public MappingMatch getMappingMatch() {
            return MappingMatch.DEFAULT;
        }
    }
}
