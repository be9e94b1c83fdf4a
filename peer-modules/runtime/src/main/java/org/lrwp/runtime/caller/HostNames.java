package org.lrwp.runtime.caller;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.util.List;
import java.util.Locale;

/**
 * Names that a request's {@code Host} may have where no secret is shown. A web page can have its
 * own name lead to this machine (DNS rebinding) and then send anything through an operator's
 * browser, but such a request has that name in {@code Host}. An IP address there is never such a
 * name, and a request without {@code Host} comes from no browser.
 *
 * @param names in any case, without port; {@code *} for all
 */
public record HostNames(List<String> names) {
    /** Copies the names. */
    public HostNames {
        names = names.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
    }

    /**
     * Says whether a request may have been meant for this machine.
     *
     * @param host value of {@code Host}; null when there is none
     * @return whether it is one of the names, an IP address, or not there
     */
    public boolean include(@Nullable String host) {
        return host == null
                || names.contains("*")
                || names.contains(name(host))
                || address(host) != null;
    }

    /**
     * Says whether a request was sent to the loopback address by that address or as {@code
     * localhost}.
     *
     * @param host value of {@code Host}; null when there is none
     * @return false too when there is none
     */
    public static boolean isLoopback(@Nullable String host) {
        if (host == null) {
            return false;
        }
        InetAddress address = address(host);
        return address == null ? name(host).equals("localhost") : address.isLoopbackAddress();
    }

    /** Without port, in lower case. */
    private static String name(String host) {
        return host.toLowerCase(Locale.ROOT).replaceFirst(":[0-9]*$", "");
    }

    private static @Nullable InetAddress address(String host) {
        String name = name(host);
        boolean bracketed = name.startsWith("[") && name.endsWith("]");
        try {
            return InetAddress.ofLiteral(bracketed ? name.substring(1, name.length() - 1) : name);
        } catch (IllegalArgumentException noAddress) {
            return null;
        }
    }
}
