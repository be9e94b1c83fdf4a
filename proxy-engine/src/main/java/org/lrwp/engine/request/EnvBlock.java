package org.lrwp.engine.request;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.ExchangeRequest;
import org.lrwp.engine.exchange.RequestView;
import org.lrwp.protocol.EnvBlockWriter;
import org.lrwp.protocol.MalformedFrameException;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Makes the env block of a request: CGI/1.1 (RFC 3875), what Xitami's peers read, and the header
 * fields as {@code HTTP_*}. Variables that describe the request itself never come from a header
 * field, as those have their prefix; nothing of the server's own environment is in it.
 *
 * @param config how blocks are made
 * @param head the request
 * @param path how its path is cut
 * @param id the request id
 */
public record EnvBlock(EnvConfig config, RequestHead head, ScriptPath path, String id)
        implements ExchangeRequest.EnvBlock, RequestView {
    /** Octets of all names that are not a header field's, and of values that are short. */
    private static final int FIXED = 2048;

    /** How often at most the target, or a part of it, is in a block. */
    private static final int TARGETS = 6;

    /** Checks that nothing is missing. */
    public EnvBlock {
        Objects.requireNonNull(config, "config");
        Objects.requireNonNull(head, "head");
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(id, "id");
    }

    /** Says of itself what it would encode, unless it may be above its limit. */
    @Override
    public @Nullable RequestView view() {
        if (!config.documentRoot().isEmpty()) {
            return null;
        }
        long most =
                FIXED
                        + 2 * head.size()
                        + (long) TARGETS * head.target().raw().length()
                        + config.software().length()
                        + config.version().length()
                        + id.length();
        return most <= config.limit() ? this : null;
    }

    @Override
    public @Nullable String variable(String name) {
        return switch (name) {
            case "REQUEST_METHOD" -> head.method();
            case "REQUEST_URI" -> head.target().raw();
            case "SCRIPT_NAME" -> path.fullName();
            case "PATH_INFO" -> path.pathInfo();
            case "QUERY_STRING" -> head.target().query();
            case "REMOTE_ADDR" -> head.connection().remoteText();
            default -> null;
        };
    }

    @Override
    public @Nullable String header(String name) {
        return new EnvFields(head, config.trusts(head)).value(name);
    }

    /**
     * Encodes block and lengths: docs/protocol.md section 4.
     *
     * @param bodyLength octets of the body that are really sent; -1 when it is not known yet: then
     *     nothing is said of it, and the block is for LRWP 3 only
     * @return the request frame up to its body
     * @throws MalformedFrameException when the block is above its limit
     */
    @Override
    public ByteBuffer encode(long bodyLength) throws MalformedFrameException {
        EnvPart kept = head.envPart();
        boolean first = kept == null || !kept.isFor(config, path, bodyLength);
        byte[] octets = kept == null || first ? null : kept.octets();
        EnvBlockWriter block;
        if (octets == null) {
            block = variables(bodyLength);
            head.keep(new EnvPart(config, path, bodyLength, first ? null : block.variables()));
        } else {
            block = new EnvBlockWriter(config.limit(), octets);
        }
        block.add("HTTP_X_REQUEST_ID", id);
        return block.finish(Math.max(bodyLength, 0));
    }

    /** All that does not differ between requests with the same head. */
    private EnvBlockWriter variables(long bodyLength) throws MalformedFrameException {
        var block = new EnvBlockWriter(config.limit());
        addRequest(block);
        addServer(block);
        addBody(block, bodyLength);
        if (config.xitami()) {
            addXitami(block, bodyLength);
        }
        new EnvFields(head, config.trusts(head)).addTo(block);
        return block;
    }

    private void addRequest(EnvBlockWriter block) throws MalformedFrameException {
        ClientConnection connection = head.connection();
        block.add("GATEWAY_INTERFACE", "CGI/1.1");
        block.add("REQUEST_METHOD", head.method());
        block.add("REQUEST_URI", head.target().raw());
        block.add("SCRIPT_NAME", path.fullName());
        block.add("PATH_INFO", path.pathInfo());
        if (!config.documentRoot().isEmpty() && !path.pathInfo().isEmpty()) {
            block.add("PATH_TRANSLATED", config.documentRoot() + path.pathInfo());
        }
        block.add("QUERY_STRING", head.target().query());
        block.add("REMOTE_ADDR", connection.remoteText());
        block.add("REMOTE_PORT", Integer.toString(connection.remotePort()));
        if (connection.secure()) {
            block.add("HTTPS", "on");
        }
    }

    private void addServer(EnvBlockWriter block) throws MalformedFrameException {
        block.add("SERVER_SOFTWARE", config.software());
        block.add("SERVER_NAME", head.authority().host());
        block.add("SERVER_PORT", Integer.toString(head.connection().localPort()));
        block.add("SERVER_PROTOCOL", head.protocol());
    }

    private void addBody(EnvBlockWriter block, long bodyLength) throws MalformedFrameException {
        @Nullable String type = head.first("Content-Type");
        if (type != null || config.xitami()) {
            block.add("CONTENT_TYPE", type == null ? "" : type);
        }
        if (bodyLength >= 0) {
            block.add("CONTENT_LENGTH", Long.toString(bodyLength));
        }
    }

    private void addXitami(EnvBlockWriter block, long bodyLength) throws MalformedFrameException {
        ClientConnection connection = head.connection();
        boolean secure = connection.secure();
        String port = Integer.toString(connection.localPort());
        block.add("SCRIPT_PATH", path.extension() ? "" : path.fullName());
        block.add("QUERY_METHOD", head.method());
        block.add("SERVER_URL", url(connection));
        block.add("SERVER_VERSION", config.version());
        block.add("SERVER_SECURITY", secure ? "SSL" : "-");
        block.add("SERVER_HTTP_PORT", secure ? "0" : port);
        block.add("SERVER_HTTPS_PORT", secure ? port : "0");
        block.add("REMOTE_HOST", connection.remoteText());
        block.add("REMOTE_USER", "-");
        if (bodyLength >= 0) {
            block.add("HTTP_CONTENT_LENGTH", Long.toString(bodyLength));
        }
    }

    private String url(ClientConnection connection) {
        Authority authority = head.authority();
        int port = authority.port() >= 0 ? authority.port() : connection.localPort();
        boolean usual = port == (connection.secure() ? 443 : 80);
        return (connection.secure() ? "https://" : "http://")
                + authority.host()
                + (usual ? "" : ":" + port)
                + "/";
    }
}
