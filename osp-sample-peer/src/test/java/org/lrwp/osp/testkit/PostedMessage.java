package org.lrwp.osp.testkit;

import org.jspecify.annotations.Nullable;
import org.lrwp.sdk.PeerRequest;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Map;

/** A request as the proxy would bring it. */
public final class PostedMessage implements PeerRequest {
    private final String method;
    private final String contentType;
    private final byte[] body;

    /** Creates a request of plain text. */
    public PostedMessage(String method, byte[] body) {
        this(method, "text/plain", body);
    }

    /** Creates a request. */
    public PostedMessage(String method, String contentType, byte[] body) {
        this.method = method;
        this.contentType = contentType;
        this.body = body.clone();
    }

    @Override
    public Map<String, String> environment() {
        return Map.of("REQUEST_METHOD", method, "CONTENT_TYPE", contentType);
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public String pathInfo() {
        return "";
    }

    @Override
    public String query() {
        return "";
    }

    @Override
    public @Nullable String header(String name) {
        return null;
    }

    @Override
    public long bodyLength() {
        return body.length;
    }

    @Override
    public InputStream body() {
        return new ByteArrayInputStream(body);
    }
}
