package org.lrwp.osp.routing;

import java.math.BigInteger;
import java.net.InetAddress;
import java.util.Locale;

/**
 * Addresses of a device: one, a network of them, a host's name, or all.
 *
 * @param text as it was written
 * @param bits the fixed bits of the network; zero for a name and for all
 * @param shift how many bits are free
 * @param width 32, 128, or 0 for a name and for all
 */
record AddressRange(String text, BigInteger bits, int shift, int width) {
    private static final AddressRange ALL = new AddressRange("*", BigInteger.ZERO, 0, 0);

    /** Reads {@code 192.0.2.1}, {@code 192.0.2.0/24}, {@code gw.example} or {@code *}. */
    static AddressRange parse(String text) {
        if (text.equals("*")) {
            return ALL;
        }
        int slash = text.indexOf('/');
        String base = slash < 0 ? text : text.substring(0, slash);
        if (slash < 0 && !isLiteral(base)) {
            return new AddressRange(base.toLowerCase(Locale.ROOT), BigInteger.ZERO, 0, 0);
        }
        byte[] bytes = InetAddress.ofLiteral(base).getAddress();
        int width = bytes.length * Byte.SIZE;
        int fixed = slash < 0 ? width : Integer.parseInt(text.substring(slash + 1));
        if (fixed < 0 || fixed > width) {
            throw new IllegalArgumentException("'" + text + "' has no such mask");
        }
        int shift = width - fixed;
        return new AddressRange(text, new BigInteger(1, bytes).shiftRight(shift), shift, width);
    }

    /** The host of a signalling address like {@code [192.0.2.1]:5060} or {@code host:5060}. */
    static String host(String address) {
        if (address.startsWith("[")) {
            int end = address.indexOf(']');
            return end < 0 ? address.substring(1) : address.substring(1, end);
        }
        int colon = address.indexOf(':');
        return colon >= 0 && colon == address.lastIndexOf(':')
                ? address.substring(0, colon)
                : address;
    }

    boolean isAll() {
        return text.equals("*");
    }

    /** How much it says: a longer mask says more, a name as much as an address. */
    int weight() {
        return isAll() ? 0 : width == 0 ? 128 : 128 - shift;
    }

    boolean contains(String host) {
        if (isAll()) {
            return true;
        }
        if (width == 0 || !isLiteral(host)) {
            return text.equalsIgnoreCase(host);
        }
        byte[] bytes = InetAddress.ofLiteral(host).getAddress();
        return bytes.length * Byte.SIZE == width
                && new BigInteger(1, bytes).shiftRight(shift).equals(bits);
    }

    private static boolean isLiteral(String host) {
        try {
            InetAddress.ofLiteral(host);
            return true;
        } catch (IllegalArgumentException name) {
            return false;
        }
    }
}
