package org.lrwp.engine.cache;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.request.Authority;
import org.lrwp.engine.request.BadRequestException;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Resolves what an answer names, as in {@code Location}: RFC 3986 section 5.2. By hand, as {@code
 * java.net.URI} refuses paths with characters that requests may have.
 */
final class Reference {
    /** RFC 3986 appendix B: scheme, authority, path, query; the fragment is nobody's here. */
    private static final Pattern PARTS =
            Pattern.compile("(?:([^:/?#]+):)?(?://([^/?#]*))?([^?#]*)(\\?[^#]*)?(?:#.*)?");

    private Reference() {}

    /**
     * Returns the URL that an answer names.
     *
     * @param url of the request, as the cache names it: {@code host:port/path}
     * @param reference absolute or relative to that
     * @return in the same form; null when it is of another host or port, or no URL of HTTP
     */
    static @Nullable String resolve(String url, String reference) {
        int slash = url.indexOf('/');
        Matcher parts = PARTS.matcher(reference.strip());
        if (slash < 0 || !parts.matches()) {
            return null;
        }
        String host = url.substring(0, slash);
        String scheme = parts.group(1);
        String authority = parts.group(2);
        String path = parts.group(3);
        String query = parts.group(4) == null ? "" : parts.group(4);
        if (scheme == null && authority == null) {
            int mark = url.indexOf('?');
            String base = url.substring(slash, mark < 0 ? url.length() : mark);
            if (path.isEmpty()) {
                boolean own = parts.group(4) == null && mark >= 0;
                return host + base + (own ? url.substring(mark) : query);
            }
            String whole =
                    path.startsWith("/")
                            ? path
                            : base.substring(0, base.lastIndexOf('/') + 1) + path;
            return host + withoutDots(whole) + query;
        }
        boolean same = authority != null && isSame(host, scheme == null ? "" : scheme, authority);
        return same ? host + (path.isEmpty() ? "/" : withoutDots(path)) + query : null;
    }

    private static boolean isSame(String host, String scheme, String authority) {
        if (!scheme.isEmpty()
                && !scheme.equalsIgnoreCase("http")
                && !scheme.equalsIgnoreCase("https")) {
            return false;
        }
        int colon = host.lastIndexOf(':');
        try {
            Authority told = Authority.parse(authority);
            int own = Integer.parseInt(host.substring(colon + 1));
            return told.virtualHost().equals(host.substring(0, colon))
                    && port(scheme, told.port()) == port(scheme, own);
        } catch (BadRequestException e) {
            return false;
        }
    }

    /** The port as if it were not written where it is that of the scheme. */
    private static int port(String scheme, int port) {
        boolean usual =
                (port == 80 && scheme.equalsIgnoreCase("http"))
                        || (port == 443 && scheme.equalsIgnoreCase("https"));
        return usual ? -1 : port;
    }

    /** A client asks for the path without them. */
    private static String withoutDots(String path) {
        List<String> left = new ArrayList<>();
        String[] segments = path.substring(1).split("/", -1);
        for (int i = 0; i < segments.length; i++) {
            boolean up = segments[i].equals("..");
            if (up && !left.isEmpty()) {
                left.removeLast();
            }
            if (!up && !segments[i].equals(".")) {
                left.add(segments[i]);
            } else if (i == segments.length - 1) {
                left.add("");
            }
        }
        return "/" + String.join("/", left);
    }
}
