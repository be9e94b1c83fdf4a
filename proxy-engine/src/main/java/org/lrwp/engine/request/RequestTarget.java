package org.lrwp.engine.request;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.SentTarget;
import org.lrwp.http1.HttpHead;

import java.nio.charset.StandardCharsets;

/**
 * What a request asks for: RFC 9112 section 3.2. Immutable, but for a text that is made when it is
 * asked for.
 */
public final class RequestTarget implements SentTarget {
    private static final String HTTP = "http://";
    private static final String HTTPS = "https://";

    private final HttpHead head;
    private final String path;
    private final int query;
    private final @Nullable Authority authority;
    private volatile @Nullable String raw;

    private RequestTarget(HttpHead head, String path, int query, @Nullable Authority authority) {
        this.head = head;
        this.path = path;
        this.query = query;
        this.authority = authority;
    }

    /**
     * Reads the target of a head.
     *
     * @param method the request's method
     * @param head holds the target: visible ASCII without {@code #}
     * @return what it asks for
     * @throws BadRequestException when it is of no form that a server takes, or its path holds a
     *     bad percent sign, an encoded slash, backslash or NUL, or dot segments that lead above the
     *     root or are hidden by a parameter
     */
    static RequestTarget of(String method, HttpHead head) throws BadRequestException {
        byte[] bytes = head.bytes();
        int from = HttpHead.start(head.target());
        int to = HttpHead.end(head.target());
        if (bytes[from] == '/') {
            return fromPath(head, from, null);
        }
        if (to - from == 1 && bytes[from] == '*') {
            if (!method.equals("OPTIONS")) {
                throw new BadRequestException("target * with a method other than OPTIONS");
            }
            return new RequestTarget(head, "*", to, null);
        }
        int start = schemeEnd(head, from, to);
        if (start < 0 || method.equals("CONNECT")) {
            throw new BadRequestException("target is neither a path nor an absolute URI");
        }
        int end = start;
        while (end < to && bytes[end] != '/' && bytes[end] != '?') {
            end++;
        }
        return fromPath(head, end, Authority.parse(bytes, start, end));
    }

    private static int schemeEnd(HttpHead head, int from, int to) {
        for (String scheme : new String[] {HTTP, HTTPS}) {
            int end = from + scheme.length();
            if (end <= to && text(head, from, end).equalsIgnoreCase(scheme)) {
                return end;
            }
        }
        return -1;
    }

    private static RequestTarget fromPath(HttpHead head, int from, @Nullable Authority authority)
            throws BadRequestException {
        byte[] bytes = head.bytes();
        int end = HttpHead.end(head.target());
        int to = from;
        while (to < end && bytes[to] != '?') {
            to++;
        }
        String path = PathDecoder.decode(bytes, from, to);
        return new RequestTarget(head, path, Math.min(to + 1, end), authority);
    }

    private static String text(HttpHead head, int from, int to) {
        return new String(head.bytes(), from, to - from, StandardCharsets.ISO_8859_1);
    }

    @Override
    public String raw() {
        String made = raw;
        if (made == null) {
            made = head.text(head.target());
            raw = made;
        }
        return made;
    }

    /**
     * Returns the path.
     *
     * @return decoded once, with {@code //} and dot segments resolved; one byte per character;
     *     {@code *} for {@code OPTIONS *}
     */
    public String path() {
        return path;
    }

    /**
     * Returns the query.
     *
     * @return what follows the first {@code ?}, as it was sent; empty when there is none
     */
    public String query() {
        return text(head, query, HttpHead.end(head.target()));
    }

    /** Index of the query's first byte in the head. */
    int queryStart() {
        return query;
    }

    /**
     * Returns the host that an absolute target names.
     *
     * @return null for the usual form
     */
    public @Nullable Authority authority() {
        return authority;
    }

    /**
     * Returns the path below the root of the web application.
     *
     * @param contextRoot the root as the container knows it; empty for {@code /}
     * @return the path for matching: starts with {@code /}
     * @throws BadRequestException when the path is not below the root
     */
    public String pathBelow(String contextRoot) throws BadRequestException {
        if (contextRoot.isEmpty() || path.equals("*")) {
            return path;
        }
        if (!path.startsWith(contextRoot)) {
            throw new BadRequestException("path is not below the root of the application");
        }
        if (path.length() == contextRoot.length()) {
            return "/";
        }
        if (path.charAt(contextRoot.length()) == '/') {
            return path.substring(contextRoot.length());
        }
        throw new BadRequestException("path is not below the root of the application");
    }
}
