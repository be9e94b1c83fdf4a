package org.lrwp.engine.peer.local;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.RequestView;
import org.lrwp.protocol.frame.RequestPayload;
import org.lrwp.sdk.RequestHead;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A request's head for a module: most of what modules ask for is known without the env block, so
 * that is made and read only for one that asks for more. Any thread; immutable.
 */
final class LocalRequest implements RequestHead {
    private final RequestView view;
    private final long bodyLength;
    private final Supplier<ByteBuffer> block;
    private volatile @Nullable Map<String, String> variables;

    /**
     * Creates a head.
     *
     * @param view what is known
     * @param bodyLength bytes of the body, 0 for none; -1 when nobody knows it yet
     * @param block makes the env block
     */
    LocalRequest(RequestView view, long bodyLength, Supplier<ByteBuffer> block) {
        this.view = view;
        this.bodyLength = bodyLength;
        this.block = block;
    }

    @Override
    public Map<String, String> environment() {
        Map<String, String> known = variables;
        if (known == null) {
            known = RequestPayload.environment(block.get());
            variables = known;
        }
        return known;
    }

    @Override
    public @Nullable String variable(String name) {
        if (name.equals("LRWP_FORWARDED")) {
            return view.isForwarded() ? "1" : null;
        }
        String known = view.variable(name);
        return known == null ? environment().get(name) : known;
    }

    @Override
    public String method() {
        String known = view.variable("REQUEST_METHOD");
        return known == null ? RequestHead.super.method() : known;
    }

    @Override
    public String pathInfo() {
        String known = view.variable("PATH_INFO");
        return known == null ? RequestHead.super.pathInfo() : known;
    }

    @Override
    public String query() {
        String known = view.variable("QUERY_STRING");
        return known == null ? RequestHead.super.query() : known;
    }

    @Override
    public @Nullable String header(String name) {
        return isPlain(name) ? view.header(name) : RequestHead.super.header(name);
    }

    /** Whether the env block tells no more of a field than the field. */
    private static boolean isPlain(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (!letter && c != '-' && (c < '0' || c > '9')) {
                return false;
            }
        }
        return !name.equalsIgnoreCase("Content-Type")
                && !name.equalsIgnoreCase("Content-Length")
                && !name.equalsIgnoreCase("X-Request-Id");
    }

    @Override
    public long bodyLength() {
        return bodyLength;
    }
}
