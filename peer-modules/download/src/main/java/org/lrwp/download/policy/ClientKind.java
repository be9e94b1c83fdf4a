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
 * @param variable the variable of the request's env block that names the client, empty for the
 *     address
 */
public record ClientKind(String variable) {
    /** As users write it. */
    static final ValueType<ClientKind> TYPE =
            new ValueType<>(
                    "address, user, or header:NAME such as header:X-Api-Key", ClientKind::parse);

    private static ClientKind parse(String text) {
        if (text.equals("address")) {
            return new ClientKind("");
        }
        if (text.equals("user")) {
            return new ClientKind("user");
        }
        String name = text.startsWith("header:") ? text.substring("header:".length()) : "";
        if (!HeaderField.isToken(name)) {
            throw new IllegalArgumentException(text);
        }
        return new ClientKind(text);
    }

    /** Returns the name of the client. */
    String of(RequestHead request, int ipv6Prefix) {
        String named = named(request);
        return named.isEmpty() ? address(request, ipv6Prefix) : named;
    }

    private String named(RequestHead request) {
        if (variable.equals("user")) {
            String user = request.variable("REMOTE_USER");
            return user == null || user.equals("-") || user.isEmpty() ? "" : "user " + user;
        }
        if (variable.isEmpty()) {
            return "";
        }
        String value = request.header(variable.substring("header:".length()));
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
        byte[] octets = address.getAddress();
        int whole = ipv6Prefix / Byte.SIZE;
        if (whole < octets.length) {
            octets[whole] &= (byte) (0xFF << (Byte.SIZE - ipv6Prefix % Byte.SIZE));
            Arrays.fill(octets, whole + 1, octets.length, (byte) 0);
        }
        return Arrays.toString(octets);
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
