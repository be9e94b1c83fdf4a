package org.lrwp.engine.request;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * What a proxy that passes a connection on says before the client's bytes: the PROXY protocol of
 * HAProxy (doc/proxy-protocol.txt), version 1 in text and version 2 in binary. Immutable.
 *
 * @param kind whose bytes follow
 * @param client its address and port; null unless the kind is {@link Kind#CLIENT}
 */
public record ProxyHeader(Kind kind, @Nullable InetSocketAddress client) {
    /** Whose bytes follow. */
    public enum Kind {
        /** A client's whose address is known. */
        CLIENT,
        /** A client's whose address the proxy does not know, or that is not on an IP network. */
        UNKNOWN,
        /** The proxy's own, such as a health check. */
        LOCAL
    }

    /**
     * Bytes of a header at most. Version 1 has a limit of its own, 107; in version 2 all above 232
     * bytes are further values, which are read over.
     */
    public static final int MOST_BYTES = 4096;

    private static final int MOST_LINE = 107;

    /** Of {@code PROXY UNKNOWN}, with its end. */
    private static final int SHORTEST_LINE = 15;

    private static final int FIXED = 16;
    private static final int LENGTH_AT = 14;
    private static final int VERSION_2 = 0x20;
    private static final int IPV4 = 4;
    private static final int IPV6 = 16;
    private static final int UNIX = 108;
    private static final byte[] TEXT = Latin.bytes("PROXY ");
    private static final byte[] BINARY = Latin.bytes("\r\n\r\n\0\r\nQUIT\n");
    private static final ProxyHeader OF_UNKNOWN = new ProxyHeader(Kind.UNKNOWN, null);
    private static final ProxyHeader OF_PROXY = new ProxyHeader(Kind.LOCAL, null);

    /** Checks that a client has an address. */
    public ProxyHeader {
        Objects.requireNonNull(kind, "kind");
        if ((kind == Kind.CLIENT) != (client != null)) {
            throw new IllegalArgumentException(kind + " with address " + client);
        }
    }

    /**
     * Describes the connection that a header came by.
     *
     * @param carrier the connection as the system knows it
     * @return the client's connection; the carrier when the proxy speaks for itself
     */
    public ClientConnection on(ClientConnection carrier) {
        return kind == Kind.LOCAL ? carrier : carrier.relayedFor(client);
    }

    /**
     * Reads a header from the start of a connection.
     *
     * @param in all that has come; its position moves behind the header, and stays when there is no
     *     whole one
     * @return the header; null when its rest has to be waited for
     * @throws MalformedProxyHeaderException when this cannot become a header any more
     */
    public static @Nullable ProxyHeader read(ByteBuffer in) throws MalformedProxyHeaderException {
        if (!in.hasRemaining()) {
            return null;
        }
        boolean text = in.get(in.position()) == TEXT[0];
        if (!startsAs(in, text ? TEXT : BINARY)) {
            throw new MalformedProxyHeaderException("no PROXY header");
        }
        return text ? readLine(in) : readBinary(in);
    }

    /**
     * Says how much can be read without reading on behind the header.
     *
     * @param in all that has come of it
     * @return bytes that are missing at least; 0 when it is whole, or cannot become one
     */
    public static int missing(ByteBuffer in) {
        int length = in.remaining();
        if (length == 0) {
            return SHORTEST_LINE;
        }
        byte first = in.get(in.position());
        if (first == BINARY[0]) {
            return length < FIXED ? FIXED - length : Math.max(0, wholeLength(in) - length);
        }
        byte last = in.get(in.limit() - 1);
        if (first != TEXT[0] || last == '\n' || length >= MOST_LINE) {
            return 0;
        }
        return Math.max(SHORTEST_LINE - length, last == '\r' ? 1 : 2);
    }

    /** Bytes of a header of version 2, as its fixed part says; no more than there may be. */
    private static int wholeLength(ByteBuffer in) {
        int at = in.position() + LENGTH_AT;
        int length = (in.get(at) & 0xFF) << 8 | (in.get(at + 1) & 0xFF);
        return Math.min(FIXED + length, MOST_BYTES + 1);
    }

    /** Whether all that is there of a beginning is as it has to be. */
    private static boolean startsAs(ByteBuffer in, byte[] beginning) {
        int length = Math.min(beginning.length, in.remaining());
        for (int i = 0; i < length; i++) {
            if (in.get(in.position() + i) != beginning[i]) {
                return false;
            }
        }
        return true;
    }

    // ---- Version 1.

    private static @Nullable ProxyHeader readLine(ByteBuffer in)
            throws MalformedProxyHeaderException {
        int start = in.position();
        int most = Math.min(in.remaining(), MOST_LINE);
        for (int i = 1; i < most; i++) {
            if (in.get(start + i) == '\n') {
                if (in.get(start + i - 1) != '\r') {
                    throw new MalformedProxyHeaderException("line without CR");
                }
                byte[] line = new byte[i - 1];
                in.get(start, line);
                ProxyHeader header = ofLine(new String(line, StandardCharsets.ISO_8859_1));
                in.position(start + i + 1);
                return header;
            }
        }
        if (most == MOST_LINE) {
            throw new MalformedProxyHeaderException("line above " + MOST_LINE + " bytes");
        }
        return null;
    }

    private static ProxyHeader ofLine(String line) throws MalformedProxyHeaderException {
        String[] words = line.split(" ", -1);
        if (words.length > 1 && words[1].equals("UNKNOWN")) {
            return OF_UNKNOWN;
        }
        boolean four = words.length == 6 && words[1].equals("TCP4");
        if (!four && (words.length != 6 || !words[1].equals("TCP6"))) {
            throw new MalformedProxyHeaderException("line of another form");
        }
        InetAddress source = address(words[2], four);
        address(words[3], four);
        int port = port(words[4]);
        port(words[5]);
        return new ProxyHeader(Kind.CLIENT, new InetSocketAddress(source, port));
    }

    private static InetAddress address(String text, boolean four)
            throws MalformedProxyHeaderException {
        InetAddress address = (text.indexOf(':') < 0) == four ? AddressText.parse(text) : null;
        if (address == null) {
            throw new MalformedProxyHeaderException("address of another form");
        }
        return address;
    }

    private static int port(String text) throws MalformedProxyHeaderException {
        int port = AddressText.port(text);
        if (port < 0) {
            throw new MalformedProxyHeaderException("port that is none");
        }
        return port;
    }

    // ---- Version 2.

    private static @Nullable ProxyHeader readBinary(ByteBuffer in)
            throws MalformedProxyHeaderException {
        if (in.remaining() < FIXED) {
            return null;
        }
        int start = in.position();
        int command = in.get(start + BINARY.length) & 0xFF;
        int family = in.get(start + BINARY.length + 1) & 0xFF;
        int length =
                (in.get(start + LENGTH_AT) & 0xFF) << 8 | (in.get(start + LENGTH_AT + 1) & 0xFF);
        if (command != VERSION_2 && command != VERSION_2 + 1) {
            throw new MalformedProxyHeaderException("version or command that is not known");
        }
        if (FIXED + length > MOST_BYTES) {
            throw new MalformedProxyHeaderException("header above " + MOST_BYTES + " bytes");
        }
        boolean local = command == VERSION_2;
        if (!local && length < lengthOf(family)) {
            throw new MalformedProxyHeaderException("addresses that are cut short");
        }
        if (in.remaining() < FIXED + length) {
            return null;
        }
        ProxyHeader header = local ? OF_PROXY : ofFamily(in, start + FIXED, family);
        in.position(start + FIXED + length);
        return header;
    }

    /** Bytes of both addresses and ports: family in the upper half, transport in the lower one. */
    private static int lengthOf(int family) throws MalformedProxyHeaderException {
        if ((family & 0xF) > 2) {
            throw new MalformedProxyHeaderException("transport that is not known");
        }
        return switch (family >> 4) {
            case 0 -> 0;
            case 1 -> 2 * IPV4 + 4;
            case 2 -> 2 * IPV6 + 4;
            case 3 -> 2 * UNIX;
            default -> throw new MalformedProxyHeaderException("family that is not known");
        };
    }

    private static ProxyHeader ofFamily(ByteBuffer in, int start, int family)
            throws MalformedProxyHeaderException {
        boolean four = family == 0x11;
        if (!four && family != 0x21) {
            return OF_UNKNOWN;
        }
        byte[] source = new byte[four ? IPV4 : IPV6];
        in.get(start, source);
        int at = start + 2 * source.length;
        int port = (in.get(at) & 0xFF) << 8 | (in.get(at + 1) & 0xFF);
        try {
            InetAddress address = InetAddress.getByAddress(source);
            return new ProxyHeader(Kind.CLIENT, new InetSocketAddress(address, port));
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}
