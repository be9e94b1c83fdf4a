package org.lrwp.engine.request;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;

/** Reads addresses in the one form that everybody reads in the same way; asks no name service. */
final class AddressText {
    private static final int MOST_PORT = 65_535;
    private static final int LONGEST_IPV6 = 45;

    private AddressText() {}

    /** Reads an address without port; null when it is none, has a zone or is short for another. */
    static @Nullable InetAddress parse(String text) {
        boolean good = text.indexOf(':') < 0 ? isIpv4(text) : isOfIpv6(text);
        try {
            return good ? InetAddress.ofLiteral(text) : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Four decimal numbers, none with a zero before it, which some take for octal. */
    private static boolean isIpv4(String text) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != 4) {
            return false;
        }
        for (String part : parts) {
            if (number(part, 255) < 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean isOfIpv6(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean hex =
                    (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
            if (!hex && c != ':' && c != '.') {
                return false;
            }
        }
        return text.length() <= LONGEST_IPV6;
    }

    /** Reads a port; -1 when it is none. */
    static int port(String text) {
        return number(text, MOST_PORT);
    }

    /** A decimal number without sign and without zeros before it; -1 when it is none. */
    private static int number(String text, int most) {
        if (text.isEmpty() || text.length() > 5 || (text.length() > 1 && text.charAt(0) == '0')) {
            return -1;
        }
        int number = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = number * 10 + digit;
        }
        return number <= most ? number : -1;
    }
}
