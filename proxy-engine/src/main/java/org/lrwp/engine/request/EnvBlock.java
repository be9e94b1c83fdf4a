package org.lrwp.engine.request;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.ExchangeRequest;
import org.lrwp.engine.exchange.RequestDetails;
import org.lrwp.engine.exchange.RequestTrace;
import org.lrwp.engine.exchange.RequestView;
import org.lrwp.http1.HttpHead;
import org.lrwp.http1.KnownField;
import org.lrwp.protocol.EnvBlockWriter;
import org.lrwp.protocol.MalformedFrameException;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Makes the env block of a request: CGI/1.1 (RFC 3875), what Xitami's peers read, and the header
 * fields as {@code HTTP_*}. Variables that describe the request itself never come from a header
 * field, as those have their prefix; nothing of the server's own environment is in it. What is the
 * same for all requests, or for all of a connection, was encoded once.
 *
 * @param config how blocks are made
 * @param head the request
 * @param path how its path is cut
 * @param id the request id
 * @param trace who follows the request
 */
public record EnvBlock(
        EnvConfig config, RequestHead head, ScriptPath path, String id, RequestTrace trace)
        implements ExchangeRequest.EnvBlock, RequestView {
    /** Bytes of all names that are not a header field's, and of values that are short. */
    private static final int FIXED = 2048;

    /** How often at most the target, or a part of it, is in a block. */
    private static final int TARGETS = 6;

    private static final byte[] REQUEST_METHOD = Latin.bytes("REQUEST_METHOD=");
    private static final byte[] REQUEST_URI = Latin.bytes("REQUEST_URI=");
    private static final byte[] SCRIPT_NAME = Latin.bytes("SCRIPT_NAME=");
    private static final byte[] SCRIPT_PATH = Latin.bytes("SCRIPT_PATH=");
    private static final byte[] PATH_INFO = Latin.bytes("PATH_INFO=");
    private static final byte[] QUERY_STRING = Latin.bytes("QUERY_STRING=");
    private static final byte[] QUERY_METHOD = Latin.bytes("QUERY_METHOD=");
    private static final byte[] SERVER_NAME = Latin.bytes("SERVER_NAME=");
    private static final byte[] SERVER_PROTOCOL = Latin.bytes("SERVER_PROTOCOL=");
    private static final byte[] SERVER_URL = Latin.bytes("SERVER_URL=");
    private static final byte[] CONTENT_TYPE = Latin.bytes("CONTENT_TYPE=");
    private static final byte[] CONTENT_LENGTH = Latin.bytes("CONTENT_LENGTH=");
    private static final byte[] HTTP_CONTENT_LENGTH = Latin.bytes("HTTP_CONTENT_LENGTH=");
    private static final byte[] LRWP_FORWARDED = Latin.bytes("LRWP_FORWARDED=1\0");
    private static final byte[] HTTP_X_REQUEST_ID = Latin.bytes("HTTP_X_REQUEST_ID=");
    private static final byte[] HTTP_TRACEPARENT = Latin.bytes("HTTP_TRACEPARENT=");
    private static final byte[] HTTP_TRACESTATE = Latin.bytes("HTTP_TRACESTATE=");

    /** Checks that nothing is missing. */
    public EnvBlock {
        Objects.requireNonNull(config, "config");
        Objects.requireNonNull(head, "head");
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(trace, "trace");
    }

    /**
     * Makes the block of a request that nobody follows.
     *
     * @param config how blocks are made
     * @param head the request
     * @param path how its path is cut
     * @param id the request id
     */
    public EnvBlock(EnvConfig config, RequestHead head, ScriptPath path, String id) {
        this(config, head, path, id, RequestTrace.NONE);
    }

    @Override
    public RequestDetails details() {
        return trace.on(head);
    }

    /** Says of itself what it would encode, unless it may be above its limit. */
    @Override
    public @Nullable RequestView view() {
        if (!config.documentRoot().isEmpty()) {
            return null;
        }
        int target = HttpHead.end(head.bytes().target()) - HttpHead.start(head.bytes().target());
        long most =
                FIXED
                        + 2L * head.size()
                        + (long) TARGETS * target
                        + head.connection().variables().client().length
                        + config.software().length()
                        + config.version().length()
                        + id.length()
                        + trace.parent().length()
                        + trace.state().length();
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
    public boolean isForwarded() {
        return head.isForwarded();
    }

    @Override
    public @Nullable String header(String name) {
        if (!trace.parent().isEmpty()) {
            if (name.equalsIgnoreCase(KnownField.TRACEPARENT.lower())) {
                return trace.parent();
            }
            if (name.equalsIgnoreCase(KnownField.TRACESTATE.lower())) {
                return trace.state().isEmpty() ? null : trace.state();
            }
        }
        return fields().value(head, name);
    }

    /**
     * Encodes block and lengths: docs/protocol.md section 4.
     *
     * @param block begins and finishes the block
     * @param bodyLength bytes of the body that are really sent; -1 when it is not known yet: then
     *     nothing is said of it, and the block is for LRWP 3 only
     * @param upgrade the protocols offered; empty for an ordinary request
     * @return the request frame up to its body, in the memory of {@code block}
     * @throws MalformedFrameException when the block is above its limit
     */
    @Override
    public ByteBuffer encode(EnvBlockWriter block, long bodyLength, String upgrade)
            throws MalformedFrameException {
        block.begin(config.limit());
        addRequest(block);
        addServer(block);
        addBody(block, bodyLength);
        if (config.xitami()) {
            addXitami(block, bodyLength);
        }
        fields().addTo(block, head);
        add(block, HTTP_X_REQUEST_ID, id);
        addTrace(block);
        if (!upgrade.isEmpty()) {
            block.add("HTTP_UPGRADE", upgrade);
            block.add("HTTP_CONNECTION", "Upgrade");
        }
        return block.finish(Math.max(bodyLength, 0));
    }

    private EnvFields fields() {
        boolean trusted = head.hasForwardingFields() && config.trusts(head);
        return EnvFields.of(trusted, !trace.parent().isEmpty());
    }

    /** In place of the client's own. */
    private void addTrace(EnvBlockWriter block) throws MalformedFrameException {
        if (!trace.parent().isEmpty()) {
            add(block, HTTP_TRACEPARENT, trace.parent());
            if (!trace.state().isEmpty()) {
                add(block, HTTP_TRACESTATE, trace.state());
            }
        }
    }

    private void addRequest(EnvBlockWriter block) throws MalformedFrameException {
        HttpHead bytes = head.bytes();
        block.addEncoded(config.constants().request());
        add(block, REQUEST_METHOD, head.method());
        add(block, REQUEST_URI, HttpHead.start(bytes.target()), HttpHead.end(bytes.target()));
        addScriptName(block, SCRIPT_NAME);
        block.start(PATH_INFO);
        block.append(path.path(), path.cut(), path.path().length());
        block.end();
        if (!config.documentRoot().isEmpty() && !path.pathInfo().isEmpty()) {
            block.add("PATH_TRANSLATED", config.documentRoot() + path.pathInfo());
        }
        add(block, QUERY_STRING, head.target().queryStart(), HttpHead.end(bytes.target()));
        block.addEncoded(head.connection().variables().client());
        if (head.isForwarded()) {
            block.addEncoded(LRWP_FORWARDED);
        }
    }

    private void addServer(EnvBlockWriter block) throws MalformedFrameException {
        block.addEncoded(config.constants().server());
        add(block, SERVER_NAME, head.authority().host());
        block.addEncoded(head.connection().variables().port());
        add(block, SERVER_PROTOCOL, head.protocol());
    }

    private void addBody(EnvBlockWriter block, long bodyLength) throws MalformedFrameException {
        int type = head.bytes().find(KnownField.CONTENT_TYPE);
        if (type >= 0) {
            int range = head.bytes().value(type);
            add(block, CONTENT_TYPE, HttpHead.start(range), HttpHead.end(range));
        } else if (config.xitami()) {
            add(block, CONTENT_TYPE, "");
        }
        if (bodyLength >= 0) {
            add(block, CONTENT_LENGTH, bodyLength);
        }
    }

    private void addXitami(EnvBlockWriter block, long bodyLength) throws MalformedFrameException {
        if (path.extension()) {
            add(block, SCRIPT_PATH, "");
        } else {
            addScriptName(block, SCRIPT_PATH);
        }
        add(block, QUERY_METHOD, head.method());
        addUrl(block);
        block.addEncoded(config.constants().version());
        block.addEncoded(head.connection().variables().xitami());
        if (bodyLength >= 0) {
            add(block, HTTP_CONTENT_LENGTH, bodyLength);
        }
    }

    private void addUrl(EnvBlockWriter block) throws MalformedFrameException {
        ClientConnection connection = head.connection();
        Authority authority = head.authority();
        int port = authority.port() >= 0 ? authority.port() : connection.urlPort();
        boolean usual = port == (connection.secure() ? 443 : 80);
        block.start(SERVER_URL);
        block.append(connection.secure() ? "https://" : "http://");
        block.append(authority.host());
        if (!usual) {
            block.append(":");
            block.append(port);
        }
        block.append("/");
        block.end();
    }

    private void addScriptName(EnvBlockWriter block, byte[] name) throws MalformedFrameException {
        block.start(name);
        block.append(path.contextRoot());
        block.append(path.path(), 0, path.cut());
        block.end();
    }

    private static void add(EnvBlockWriter block, byte[] name, String value)
            throws MalformedFrameException {
        block.start(name);
        block.append(value);
        block.end();
    }

    private static void add(EnvBlockWriter block, byte[] name, long value)
            throws MalformedFrameException {
        block.start(name);
        block.append(value);
        block.end();
    }

    private void add(EnvBlockWriter block, byte[] name, int from, int to)
            throws MalformedFrameException {
        block.add(name, head.bytes().bytes(), from, to);
    }
}
