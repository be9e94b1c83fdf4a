package org.lrwp.engine.request;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * The hops of {@code X-Forwarded-For} and {@code X-Forwarded-Proto} from right to left. Many
 * proxies set one scheme for a request that has passed several: the leftmost one then counts for
 * all hops before it as well.
 */
final class XForwardedHops implements ForwardedHop.Chain {
    private final List<String> addresses;
    private final List<String> schemes;
    private int taken;

    /**
     * Begins with the last hop.
     *
     * @param addresses values of X-Forwarded-For in the order they were received
     * @param schemes values of X-Forwarded-Proto
     */
    XForwardedHops(List<String> addresses, List<String> schemes) {
        this.addresses = split(addresses);
        this.schemes = split(schemes);
    }

    private static List<String> split(List<String> lines) {
        List<String> parts = new ArrayList<>();
        for (String line : lines) {
            for (String part : line.split(",", -1)) {
                String text = part.strip();
                if (!text.isEmpty()) {
                    parts.add(text);
                }
            }
        }
        return parts;
    }

    @Override
    public @Nullable ForwardedHop next() {
        int index = addresses.size() - 1 - taken;
        boolean schemeAlone = addresses.isEmpty() && taken == 0 && !schemes.isEmpty();
        if (index < 0 && !schemeAlone) {
            return null;
        }
        int scheme = Math.max(schemes.size() - 1 - taken, 0);
        taken++;
        Boolean secure = schemes.isEmpty() ? null : ForwardedHop.isSecure(schemes.get(scheme));
        return new ForwardedHop(index < 0 ? null : address(addresses.get(index)), 0, secure);
    }

    /** Some proxies add a port, which is read over: not all of them mean the client's. */
    private static @Nullable InetAddress address(String text) {
        int bracket = text.startsWith("[") ? text.indexOf(']') : -1;
        int colon = text.indexOf(':');
        if (bracket > 0 && text.indexOf(':') < bracket) {
            String rest = text.substring(bracket + 1);
            boolean good = rest.isEmpty() || (rest.startsWith(":") && isPort(rest.substring(1)));
            return good ? AddressText.parse(text.substring(1, bracket)) : null;
        }
        if (colon > 0 && colon == text.lastIndexOf(':')) {
            boolean good = isPort(text.substring(colon + 1));
            return good ? AddressText.parse(text.substring(0, colon)) : null;
        }
        return AddressText.parse(text);
    }

    private static boolean isPort(String text) {
        return AddressText.port(text) >= 0;
    }
}
