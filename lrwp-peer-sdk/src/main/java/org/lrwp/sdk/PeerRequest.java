package org.lrwp.sdk;

import org.jspecify.annotations.Nullable;

import java.io.InputStream;
import java.util.Map;

/** One HTTP request as a peer sees it: docs/protocol.md section 4. */
public interface PeerRequest {
    /**
     * Returns the env block.
     *
     * @return CGI variables by name, one octet per character, unmodifiable
     */
    Map<String, String> environment();

    /**
     * Returns one variable of the env block.
     *
     * @param name for example {@code REMOTE_ADDR}
     * @return its value, or null when it was not sent
     */
    default @Nullable String variable(String name) {
        return environment().get(name);
    }

    /**
     * Returns the request's method.
     *
     * @return for example {@code POST}
     */
    String method();

    /**
     * Returns what follows the context in the path.
     *
     * @return decoded, starts with {@code /} or is empty
     */
    String pathInfo();

    /**
     * Returns the query as it was sent.
     *
     * @return without {@code ?}; empty when there is none
     */
    String query();

    /**
     * Returns a request header.
     *
     * @param name the header's name, in any case
     * @return its value, repeated ones joined by comma; null when it was not sent
     */
    @Nullable String header(String name);

    /**
     * Returns the body's length.
     *
     * @return octets, 0 for none
     */
    long bodyLength();

    /**
     * Returns the body as a stream that ends where the body ends. What a handler leaves unread is
     * read and dropped.
     *
     * @return the body; closing it is not needed
     */
    InputStream body();
}
