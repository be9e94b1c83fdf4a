package org.lrwp.sdk.httpserver;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A path of the server with its handler, filters and attributes. Thread-safe. */
final class PeerHttpContext extends HttpContext {
    private final HttpServer server;
    private final String path;
    private final Map<String, Object> attributes = new ConcurrentHashMap<>();
    private final List<Filter> filters = new CopyOnWriteArrayList<>();
    private volatile @Nullable HttpHandler handler;
    private volatile @Nullable Authenticator authenticator;

    PeerHttpContext(HttpServer server, String path, @Nullable HttpHandler handler) {
        this.server = server;
        this.path = path;
        this.handler = handler;
    }

    /** The name by which it is registered: contexts of LRWP end with a segment of the path. */
    String registered() {
        String name = path;
        while (name.length() > 1 && name.endsWith("/")) {
            name = name.substring(0, name.length() - 1);
        }
        return name;
    }

    /** The path as it is in an env block: one byte per character. */
    String wire() {
        return bytes(path);
    }

    /** What SCRIPT_NAME ends with: nothing for the root. */
    String wireRegistered() {
        String name = registered();
        return name.equals("/") ? "" : bytes(name);
    }

    private static String bytes(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    @Override
    public @Nullable HttpHandler getHandler() {
        return handler;
    }

    @Override
    public void setHandler(HttpHandler handler) {
        if (this.handler != null) {
            throw new IllegalArgumentException("the context " + path + " has a handler");
        }
        this.handler = Objects.requireNonNull(handler, "handler");
    }

    @Override
    public String getPath() {
        return path;
    }

    @Override
    public HttpServer getServer() {
        return server;
    }

    @Override
    public Map<String, Object> getAttributes() {
        return attributes;
    }

    @Override
    public List<Filter> getFilters() {
        return filters;
    }

    @Override
    public @Nullable Authenticator setAuthenticator(@Nullable Authenticator authenticator) {
        Authenticator before = this.authenticator;
        this.authenticator = authenticator;
        return before;
    }

    @Override
    public @Nullable Authenticator getAuthenticator() {
        return authenticator;
    }
}
