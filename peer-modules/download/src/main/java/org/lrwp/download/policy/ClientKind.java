package org.lrwp.download.policy;

import org.lrwp.protocol.HeaderField;
import org.lrwp.runtime.configuration.ValueType;
import org.lrwp.sdk.RequestHead;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;

/**
 * What tells clients apart: the address, the user, or a header; where user or header are missing,
 * the address.
 *
 * @param source which of them
 * @param header the name of the header; empty unless it is one
 */
public record ClientKind(Source source, String header) {
    /** Where the name of a client stands. */
    public enum Source {
        /** In its address. */
        ADDRESS,
        /** In the variable {@code REMOTE_USER}. */
        USER,
        /** In a header. */
        HEADER
    }

    /** As users write it. */
    static final ValueType<ClientKind> TYPE =
            new ValueType<>(
                    "address, user, or header:NAME such as header:X-Api-Key", ClientKind::parse);

    private static final String HEADER = "header:";

    private static ClientKind parse(String text) {
        if (text.equals("address")) {
            return new ClientKind(Source.ADDRESS, "");
        }
        if (text.equals("user")) {
            return new ClientKind(Source.USER, "");
        }
        String name = text.startsWith(HEADER) ? text.substring(HEADER.length()) : "";
        if (!HeaderField.isToken(name)) {
            throw new IllegalArgumentException(text);
        }
        return new ClientKind(Source.HEADER, name);
    }

    /** Returns the name of the client. */
    String of(RequestHead request, int ipv6Prefix) {
        String named =
                switch (source) {
                    case ADDRESS -> "";
                    case USER -> user(request);
                    case HEADER -> value(request);
                };
        return named.isEmpty() ? address(request, ipv6Prefix) : named;
    }

    private static String user(RequestHead request) {
        String user = request.variable("REMOTE_USER");
        return user == null || user.equals("-") || user.isEmpty() ? "" : "user " + user;
    }

    private String value(RequestHead request) {
        String value = request.header(header);
        return value == null || value.isEmpty() ? "" : "header " + value;
    }

    private static String address(RequestHead request, int ipv6Prefix) {
        String text = request.variable("REMOTE_ADDR");
        if (text == null || text.indexOf(':') < 0) {
            return text == null ? "" : text;
        }
        InetAddress address = addressOf(text);
        if (!(address instanceof Inet6Address)) {
            return text;
        }
        byte[] bytes = address.getAddress();
        int whole = ipv6Prefix / Byte.SIZE;
        if (whole < bytes.length) {
            bytes[whole] &= (byte) (0xFF << (Byte.SIZE - ipv6Prefix % Byte.SIZE));
            Arrays.fill(bytes, whole + 1, bytes.length, (byte) 0);
        }
        return Arrays.toString(bytes);
    }

    /** Returns an address, or loopback when the text is none. */
    static InetAddress addressOf(String text) {
        try {
            int zone = text.indexOf('%');
            return InetAddress.ofLiteral(zone < 0 ? text : text.substring(0, zone));
        } catch (IllegalArgumentException e) {
            return InetAddress.getLoopbackAddress();
        }
    }
}
