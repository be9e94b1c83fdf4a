package org.lrwp.engine.request;

import java.util.Locale;
import java.util.Objects;

/**
 * Host and port that a request is meant for: RFC 9110 section 7.2.
 *
 * @param host a name or address as it was sent; an IPv6 address keeps its brackets
 * @param port the port, -1 when none was sent
 */
public record Authority(String host, int port) {
    private static final int LONGEST = 255;

    /** Checks that nothing is missing. */
    public Authority {
        Objects.requireNonNull(host, "host");
    }

    /**
     * Reads {@code host} or {@code host:port}.
     *
     * @param text value of a Host field, or the authority of an absolute target
     * @return what it names
     * @throws BadRequestException when it is empty, holds user information, a path, or a character
     *     that no host name has
     */
    public static Authority parse(String text) throws BadRequestException {
        int bracket = text.startsWith("[") ? text.indexOf(']') : -1;
        int colon = text.indexOf(':', Math.max(bracket, 0));
        String host = colon < 0 ? text : text.substring(0, colon);
        boolean good = bracket < 0 ? isName(host) : bracket == host.length() - 1 && isIpv6(host);
        if (!good || host.length() > LONGEST) {
            throw new BadRequestException("host is not a host name");
        }
        return new Authority(host, colon < 0 ? -1 : port(text, colon + 1));
    }

    private static boolean isName(String host) {
        for (int i = 0; i < host.length(); i++) {
            char c = host.charAt(i);
            boolean good =
                    (c >= 'a' && c <= 'z')
                            || (c >= 'A' && c <= 'Z')
                            || (c >= '0' && c <= '9')
                            || c == '-'
                            || c == '.'
                            || c == '_'
                            || c == '~';
            if (!good) {
                return false;
            }
        }
        return !host.isEmpty() && host.charAt(0) != '.';
    }

    private static boolean isIpv6(String host) {
        for (int i = 1; i < host.length() - 1; i++) {
            char c = host.charAt(i);
            if (Character.digit(c, 16) < 0 && c != ':' && c != '.') {
                return false;
            }
        }
        return host.length() >= 4;
    }

    private static int port(String text, int from) throws BadRequestException {
        int port = 0;
        for (int i = from; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9 || port > 0xFFFF) {
                throw new BadRequestException("port of the host is not a number");
            }
            port = port * 10 + digit;
        }
        if (port > 0xFFFF) {
            throw new BadRequestException("port of the host is not a number");
        }
        return from == text.length() ? -1 : port;
    }

    /**
     * Returns it as {@link #parse} reads it.
     *
     * @return host, or host and port
     */
    public String text() {
        return port < 0 ? host : host + ":" + port;
    }

    /**
     * Returns the name that contexts of a virtual host are matched by.
     *
     * @return the host in lower case, without port and without a final dot
     */
    public String virtualHost() {
        String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
        return name.toLowerCase(Locale.ROOT);
    }
}
