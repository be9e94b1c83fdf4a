package org.lrwp.engine.request;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.util.List;

/**
 * The elements of {@code Forwarded} fields from right to left: RFC 7239 section 4. It is read in
 * this order so that nothing that a client has sent, such as a quote that does not end, changes
 * what the proxies behind it have added.
 */
final class ForwardedElements implements ForwardedHop.Chain {
    private static final ForwardedHop UNREADABLE = new ForwardedHop(null, 0, null);

    private final List<String> lines;
    private int line;

    /** Where the elements that are left of the present line end; -1 = it has no more. */
    private int end;

    /**
     * Begins with the last element.
     *
     * @param lines values of the fields in the order they were received; at least one
     */
    ForwardedElements(List<String> lines) {
        this.lines = lines;
        this.line = lines.size() - 1;
        this.end = lines.get(line).length();
    }

    @Override
    public @Nullable ForwardedHop next() {
        while (line >= 0) {
            while (end >= 0) {
                String text = lines.get(line);
                int start = startOfLast(text, end, ',');
                String element = text.substring(start, end).strip();
                end = start - 1;
                if (!element.isEmpty()) {
                    return read(element);
                }
            }
            line--;
            end = line < 0 ? -1 : lines.get(line).length();
        }
        return null;
    }

    /** Where the last part of a text begins: behind the last separator outside of quotes. */
    private static int startOfLast(String text, int end, char separator) {
        boolean quoted = false;
        for (int i = end - 1; i >= 0; i--) {
            char c = text.charAt(i);
            if (c == '"' && !(quoted && isEscaped(text, i))) {
                quoted = !quoted;
            } else if (c == separator && !quoted) {
                return i + 1;
            }
        }
        return 0;
    }

    private static boolean isEscaped(String text, int index) {
        int slashes = 0;
        while (index - slashes > 0 && text.charAt(index - slashes - 1) == '\\') {
            slashes++;
        }
        return slashes % 2 == 1;
    }

    /** An element that breaks a rule says nothing at all. */
    private static ForwardedHop read(String element) {
        String node = null;
        String scheme = null;
        int end = element.length();
        while (end >= 0) {
            int start = startOfLast(element, end, ';');
            String pair = element.substring(start, end).strip();
            end = start - 1;
            int equals = pair.indexOf('=');
            String value = equals < 1 ? null : value(pair.substring(equals + 1));
            if (value == null) {
                return UNREADABLE;
            }
            String name = pair.substring(0, equals);
            if (name.equalsIgnoreCase("for")) {
                if (node != null) {
                    return UNREADABLE;
                }
                node = value;
            } else if (name.equalsIgnoreCase("proto")) {
                if (scheme != null) {
                    return UNREADABLE;
                }
                scheme = value;
            }
        }
        Boolean secure = scheme == null ? null : ForwardedHop.isSecure(scheme);
        return node == null ? new ForwardedHop(null, 0, secure) : hop(node, secure);
    }

    /** A token, or a string in quotes without them; null when it is neither. */
    private static @Nullable String value(String text) {
        if (!text.startsWith("\"")) {
            boolean blank = text.indexOf(' ') >= 0 || text.indexOf('\t') >= 0;
            return text.isEmpty() || blank || text.indexOf('"') >= 0 ? null : text;
        }
        var plain = new StringBuilder(text.length());
        int last = text.length() - 1;
        for (int i = 1; i < last; i++) {
            char c = text.charAt(i);
            if (c == '"' || (c == '\\' && ++i == last)) {
                return null;
            }
            plain.append(text.charAt(i));
        }
        return last > 0 && text.charAt(last) == '"' ? plain.toString() : null;
    }

    /** A node: RFC 7239 section 6. One that is hidden, or is not known, has no address. */
    private static ForwardedHop hop(String node, @Nullable Boolean secure) {
        var nowhere = new ForwardedHop(null, 0, secure);
        int bracket = node.startsWith("[") ? node.indexOf(']') : -1;
        int colon = node.indexOf(':', Math.max(bracket, 0));
        String host = colon < 0 ? node : node.substring(0, colon);
        if (bracket >= 0) {
            if (bracket != host.length() - 1 || host.indexOf(':') < 0) {
                return nowhere;
            }
            host = host.substring(1, bracket);
        }
        InetAddress address = AddressText.parse(host);
        int port = colon < 0 ? 0 : port(node.substring(colon + 1));
        return address == null || port < 0 ? nowhere : new ForwardedHop(address, port, secure);
    }

    /** A port may be hidden as well, and is not known then. */
    private static int port(String text) {
        boolean hidden = text.startsWith("_") && text.length() > 1;
        return hidden ? 0 : AddressText.port(text);
    }
}
