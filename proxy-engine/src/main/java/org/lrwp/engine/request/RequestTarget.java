package org.lrwp.engine.request;

import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.Objects;

/**
 * What a request asks for: RFC 9112 section 3.2.
 *
 * @param raw the target as it was sent
 * @param path its path, decoded once, with {@code //} and dot segments resolved; one octet per
 *     character; {@code *} for {@code OPTIONS *}
 * @param query what follows the first {@code ?}, as it was sent; empty when there is none
 * @param authority host and port of an absolute target; null for the usual form
 */
public record RequestTarget(String raw, String path, String query, @Nullable Authority authority) {
    /** Checks that nothing is missing. */
    public RequestTarget {
        Objects.requireNonNull(raw, "raw");
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(query, "query");
    }

    /**
     * Reads a target.
     *
     * @param method the request's method
     * @param raw the target as it was sent
     * @return what it asks for
     * @throws BadRequestException when it is of no form that a server takes, or its path holds a
     *     bad percent sign, or an encoded slash, backslash or NUL
     */
    public static RequestTarget parse(String method, String raw) throws BadRequestException {
        requireVisible(raw);
        if (raw.equals("*")) {
            if (!method.equals("OPTIONS")) {
                throw new BadRequestException("target * with a method other than OPTIONS");
            }
            return new RequestTarget(raw, "*", "", null);
        }
        if (raw.startsWith("/")) {
            return fromPath(raw, raw, null);
        }
        String lower = raw.toLowerCase(Locale.ROOT);
        int start = lower.startsWith("http://") ? 7 : lower.startsWith("https://") ? 8 : -1;
        if (start < 0 || method.equals("CONNECT")) {
            throw new BadRequestException("target is neither a path nor an absolute URI");
        }
        int end = start;
        while (end < raw.length() && raw.charAt(end) != '/' && raw.charAt(end) != '?') {
            end++;
        }
        String rest = raw.substring(end);
        String path = rest.startsWith("/") ? rest : "/" + rest;
        return fromPath(raw, path, Authority.parse(raw.substring(start, end)));
    }

    private static RequestTarget fromPath(
            String raw, String pathAndQuery, @Nullable Authority authority)
            throws BadRequestException {
        int mark = pathAndQuery.indexOf('?');
        String path = mark < 0 ? pathAndQuery : pathAndQuery.substring(0, mark);
        String query = mark < 0 ? "" : pathAndQuery.substring(mark + 1);
        return new RequestTarget(raw, resolve(decode(path)), query, authority);
    }

    private static void requireVisible(String raw) throws BadRequestException {
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c <= ' ' || c >= 0x7F || c == '#') {
                throw new BadRequestException("target holds a character that must be encoded");
            }
        }
    }

    private static String decode(String path) throws BadRequestException {
        if (path.indexOf('\\') >= 0) {
            throw new BadRequestException("path holds a backslash");
        }
        if (path.indexOf('%') < 0) {
            return path;
        }
        var decoded = new StringBuilder(path.length());
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c == '%') {
                c = octet(path, i + 1);
                i += 2;
            }
            decoded.append(c);
        }
        return decoded.toString();
    }

    private static char octet(String path, int at) throws BadRequestException {
        int high = at + 1 < path.length() ? Character.digit(path.charAt(at), 16) : -1;
        int low = at + 1 < path.length() ? Character.digit(path.charAt(at + 1), 16) : -1;
        if (high < 0 || low < 0) {
            throw new BadRequestException("path holds a percent sign without two hex digits");
        }
        char octet = (char) (high << 4 | low);
        if (octet == 0 || octet == '/' || octet == '\\') {
            throw new BadRequestException("path holds an encoded NUL, slash or backslash");
        }
        return octet;
    }

    /** Resolves empty and dot segments; {@code ..} at the root stays there. */
    private static String resolve(String path) {
        if (!path.contains("//") && !path.contains("/.")) {
            return path;
        }
        var resolved = new StringBuilder(path.length());
        int at = 0;
        while (at < path.length()) {
            int end = path.indexOf('/', at + 1);
            String segment = path.substring(at + 1, end < 0 ? path.length() : end);
            boolean last = end < 0;
            if (segment.equals("..")) {
                resolved.setLength(Math.max(resolved.lastIndexOf("/"), 0));
            } else if (!segment.isEmpty() && !segment.equals(".")) {
                resolved.append('/').append(segment);
            }
            if (last && (segment.isEmpty() || segment.equals(".") || segment.equals(".."))) {
                resolved.append('/');
            }
            at = last ? path.length() : end;
        }
        return resolved.toString();
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
        if (path.equals(contextRoot)) {
            return "/";
        }
        if (path.startsWith(contextRoot + "/")) {
            return path.substring(contextRoot.length());
        }
        throw new BadRequestException("path is not below the root of the application");
    }
}
