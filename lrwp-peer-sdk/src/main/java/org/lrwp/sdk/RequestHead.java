package org.lrwp.sdk;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.ContentLength;
import org.lrwp.protocol.UpgradeNames;

import java.util.List;
import java.util.Map;

/**
 * What a request says before its body, which is its env block: docs/protocol.md section 4.
 * Immutable.
 */
public interface RequestHead {
    /**
     * Returns the head that an env block says.
     *
     * @param environment CGI variables by name, unmodifiable; {@code CONTENT_LENGTH} says the
     *     length of the body, if it is known
     * @return the head
     */
    static RequestHead of(Map<String, String> environment) {
        return EnvironmentHead.of(environment);
    }

    /**
     * Returns the env block.
     *
     * @return CGI variables by name, one byte per character, unmodifiable
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
    default String method() {
        return environment().getOrDefault("REQUEST_METHOD", "GET");
    }

    /**
     * Returns what follows the context in the path.
     *
     * @return decoded, starts with {@code /} or is empty
     */
    default String pathInfo() {
        return environment().getOrDefault("PATH_INFO", "");
    }

    /**
     * Returns the query as it was sent.
     *
     * @return without {@code ?}; empty when there is none
     */
    default String query() {
        return environment().getOrDefault("QUERY_STRING", "");
    }

    /**
     * Returns a request header.
     *
     * @param name the header's name, in any case
     * @return its value, repeated ones joined by comma; null when it was not sent
     */
    default @Nullable String header(String name) {
        return EnvironmentHead.header(environment(), name);
    }

    /**
     * Says whether the client offers another protocol that the peer may go over to.
     *
     * @param protocol for example {@code websocket}, in any case
     * @return whether the request came as one that can become a tunnel
     */
    default boolean offers(String protocol) {
        String offered = variable("HTTP_UPGRADE");
        return offered != null && UpgradeNames.offered(List.of(offered)).contains(protocol);
    }

    /**
     * Returns the body's length.
     *
     * @return bytes, 0 for none, -1 when nobody knows it yet: only with {@link PeerBuilder#stream}
     */
    default long bodyLength() {
        return ContentLength.parse(environment().getOrDefault("CONTENT_LENGTH", ""));
    }
}
