package org.lrwp.sdk.httpserver;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpPrincipal;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.HeaderField;
import org.lrwp.protocol.network.Network;
import org.lrwp.sdk.PeerExchange;
import org.lrwp.sdk.RequestHead;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** One request as the JDK's handlers see it; running it calls filters and handler. */
final class PeerHttpExchange extends HttpExchange implements Runnable {
    /** Fields of one hop, the length, which is an argument, and what is the protocol's own. */
    private static final Set<String> NOT_SENT =
            Set.of("connection", "keep-alive", "transfer-encoding", "content-length", "status");

    private final PeerExchange exchange;
    private final PeerHttpContext context;
    private final URI uri;
    private final Headers requestHeaders;
    private final Headers responseHeaders = new Headers();
    private final Map<String, Object> attributes = new ConcurrentHashMap<>();
    private final ExchangeFlow flow;
    private InputStream input;
    private OutputStream output;
    private @Nullable AnswerBody body;
    private @Nullable HttpPrincipal principal;
    private volatile int code = -1;

    private PeerHttpExchange(PeerExchange exchange, PeerHttpContext context, URI uri) {
        this.exchange = exchange;
        this.context = context;
        this.uri = uri;
        this.requestHeaders = headers(exchange.request().environment());
        this.flow = new ExchangeFlow(exchange);
        this.input = new RequestBody(flow);
        this.output = new OutputBeforeHead();
        exchange.listen(flow);
    }

    /** Creates it; null when the path that the client sent is not a URI. */
    static @Nullable PeerHttpExchange of(PeerExchange exchange, PeerHttpContext context) {
        try {
            String target = exchange.request().environment().getOrDefault("REQUEST_URI", "/");
            return new PeerHttpExchange(exchange, context, new URI(target));
        } catch (URISyntaxException e) {
            return null;
        }
    }

    private static Headers headers(Map<String, String> environment) {
        Headers headers = new Headers();
        environment.forEach(
                (name, value) -> {
                    if (name.startsWith("HTTP_") && !name.equals("HTTP_CONTENT_LENGTH")) {
                        headers.add(name.substring(5).replace('_', '-'), value);
                    } else if (name.equals("CONTENT_TYPE") || name.equals("CONTENT_LENGTH")) {
                        // CGI sends these two empty when there is no body.
                        if (!value.isEmpty()) {
                            headers.add(name.replace('_', '-'), value);
                        }
                    }
                });
        return headers;
    }

    @Override
    public void run() {
        try {
            HttpHandler handler = context.getHandler();
            if (handler == null) {
                throw new IllegalStateException("the context has no handler");
            }
            Authenticator authenticator = context.getAuthenticator();
            if (authenticator == null || isLetIn(authenticator.authenticate(this))) {
                new Filter.Chain(context.getFilters(), handler).doFilter(this);
            }
        } catch (Exception | Error e) {
            fail(e);
        }
    }

    /** Answers in the handler's stead. */
    void fail(Throwable cause) {
        exchange.fail(cause);
    }

    private boolean isLetIn(Authenticator.Result result) throws IOException {
        if (result instanceof Authenticator.Success success) {
            principal = success.getPrincipal();
            return true;
        }
        int refusal =
                result instanceof Authenticator.Retry retry
                        ? retry.getResponseCode()
                        : ((Authenticator.Failure) result).getResponseCode();
        sendResponseHeaders(refusal, -1);
        return false;
    }

    @Override
    public Headers getRequestHeaders() {
        return requestHeaders;
    }

    @Override
    public Headers getResponseHeaders() {
        return responseHeaders;
    }

    @Override
    public URI getRequestURI() {
        return uri;
    }

    @Override
    public String getRequestMethod() {
        return exchange.request().method();
    }

    @Override
    public HttpContext getHttpContext() {
        return context;
    }

    /** Ends the exchange; without an answer the client gets 500. */
    @Override
    public void close() {
        if (code < 0) {
            exchange.fail(new IOException("the exchange was closed without an answer"));
            return;
        }
        try {
            output.close();
        } catch (IOException e) {
            exchange.fail(e);
        }
    }

    @Override
    public InputStream getRequestBody() {
        return input;
    }

    @Override
    public OutputStream getResponseBody() {
        return output;
    }

    @Override
    public void sendResponseHeaders(int status, long length) throws IOException {
        if (code >= 0) {
            throw new IOException("headers already sent");
        }
        if (status < 200) {
            // The interim answers of a connection are the proxy's.
            return;
        }
        boolean head = getRequestMethod().equals("HEAD");
        boolean without = head || length < 0 || status == 204 || status == 304;
        List<HeaderField> fields = fields(head);
        if (without && !head && status != 204 && status != 304) {
            fields.add(new HeaderField("Content-Length", "0"));
        } else if (!without && length > 0) {
            fields.add(new HeaderField("Content-Length", Long.toString(length)));
        }
        code = status;
        long most = length == 0 ? Long.MAX_VALUE : length;
        AnswerBody begun = new AnswerBody(flow, status, fields, without ? 0 : most);
        body = begun;
        if (output instanceof OutputBeforeHead) {
            output = begun;
        }
        if (without) {
            begun.close();
        }
    }

    /** The fields that are sent; to HEAD with the length that the handler has set. */
    private List<HeaderField> fields(boolean head) {
        List<HeaderField> fields = new ArrayList<>();
        responseHeaders.forEach(
                (name, values) -> {
                    String lower = name.toLowerCase(Locale.ROOT);
                    boolean length = head && lower.equals("content-length");
                    if (!NOT_SENT.contains(lower) || length) {
                        values.forEach(value -> fields.add(new HeaderField(name, value)));
                    }
                });
        return fields;
    }

    /** A body that a filter has wrapped, or a handler asks for, before the head is sent. */
    private final class OutputBeforeHead extends OutputStream {
        private AnswerBody begun() throws IOException {
            AnswerBody begun = body;
            if (begun == null) {
                throw new IOException("response headers not sent yet");
            }
            return begun;
        }

        @Override
        public void write(int unit) throws IOException {
            begun().write(unit);
        }

        @Override
        public void write(byte[] bytes, int offset, int count) throws IOException {
            begun().write(bytes, offset, count);
        }

        @Override
        public void flush() throws IOException {
            begun().flush();
        }

        @Override
        public void close() throws IOException {
            begun().close();
        }
    }

    @Override
    public InetSocketAddress getRemoteAddress() {
        return address("REMOTE_ADDR", "REMOTE_PORT");
    }

    @Override
    public InetSocketAddress getLocalAddress() {
        return address("SERVER_NAME", "SERVER_PORT");
    }

    /** An address with its number; a name is looked up nowhere, and stays unresolved. */
    private InetSocketAddress address(String host, String port) {
        RequestHead head = exchange.request();
        int number = Integer.parseInt(head.environment().getOrDefault(port, "0"));
        String text = head.environment().getOrDefault(host, "");
        try {
            return new InetSocketAddress(Network.address(text), number);
        } catch (IllegalArgumentException e) {
            return InetSocketAddress.createUnresolved(text, number);
        }
    }

    @Override
    public int getResponseCode() {
        return code;
    }

    @Override
    public String getProtocol() {
        return exchange.request().environment().getOrDefault("SERVER_PROTOCOL", "HTTP/1.1");
    }

    /** Looks at what was set for this exchange, then at the attributes of the context. */
    @Override
    public @Nullable Object getAttribute(String name) {
        Object own = attributes.get(name);
        return own == null ? context.getAttributes().get(name) : own;
    }

    @Override
    public void setAttribute(String name, @Nullable Object value) {
        if (value == null) {
            attributes.remove(name);
        } else {
            attributes.put(name, value);
        }
    }

    @Override
    public void setStreams(@Nullable InputStream in, @Nullable OutputStream out) {
        input = in == null ? input : in;
        output = out == null ? output : out;
    }

    @Override
    public @Nullable HttpPrincipal getPrincipal() {
        return principal;
    }
}
