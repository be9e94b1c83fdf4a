package org.lrwp.engine.request;

import java.nio.charset.StandardCharsets;
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
    private static final int MOST_PORT = 0xFFFF;

    /** Of an IPv6 address with its brackets. */
    private static final int SHORTEST_LITERAL = 4;

    /** Checks that nothing is missing. */
    public Authority {
        Objects.requireNonNull(host, "host");
    }

    /**
     * Reads {@code host} or {@code host:port}.
     *
     * @param text the authority of an absolute target
     * @return what it names
     * @throws BadRequestException when it is empty, holds user information, a path, or a character
     *     that no host name has
     */
    public static Authority parse(String text) throws BadRequestException {
        return parse(Latin.bytes(text), 0, text.length());
    }

    /**
     * Reads {@code host} or {@code host:port}.
     *
     * @param bytes hold the value of a Host field, or the authority of an absolute target
     * @param from index of its first byte
     * @param to behind its last byte
     * @return what it names
     * @throws BadRequestException as {@link #parse(String)}
     */
    static Authority parse(byte[] bytes, int from, int to) throws BadRequestException {
        boolean literal = from < to && bytes[from] == '[';
        int end = find(bytes, literal ? find(bytes, from, to, ']') : from, to, ':');
        boolean good = literal ? isIpv6(bytes, from, end) : isName(bytes, from, end);
        if (!good || end - from > LONGEST) {
            throw new BadRequestException("host is not a host name");
        }
        String host = new String(bytes, from, end - from, StandardCharsets.ISO_8859_1);
        return new Authority(host, port(bytes, end + 1, to));
    }

    /** Where a character comes first; the end when it does not. */
    private static int find(byte[] bytes, int from, int to, char wanted) {
        int at = from;
        while (at < to && bytes[at] != wanted) {
            at++;
        }
        return at;
    }

    private static boolean isName(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            byte c = bytes[i];
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
        return from < to && bytes[from] != '.';
    }

    /** In brackets. */
    private static boolean isIpv6(byte[] bytes, int from, int to) {
        for (int i = from + 1; i < to - 1; i++) {
            byte c = bytes[i];
            if (Character.digit(c, 16) < 0 && c != ':' && c != '.') {
                return false;
            }
        }
        return to - from >= SHORTEST_LITERAL && bytes[to - 1] == ']';
    }

    /** -1 when there is none. */
    private static int port(byte[] bytes, int from, int to) throws BadRequestException {
        int port = 0;
        for (int i = from; i < to; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9 || port > MOST_PORT) {
                throw new BadRequestException("port of the host is not a number");
            }
            port = port * 10 + digit;
        }
        if (port > MOST_PORT) {
            throw new BadRequestException("port of the host is not a number");
        }
        return from >= to ? -1 : port;
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
