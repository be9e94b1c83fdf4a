package org.lrwp.protocol.network;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A network in CIDR notation, or a single address.
 *
 * @param base any address of the network
 * @param prefix leading bits that count, 0 to 32 or 128; 0 means every address of that family
 */
public record Network(InetAddress base, int prefix) {
    /** Loopback addresses of both families. */
    public static final List<Network> LOOPBACK = List.of(parse("127.0.0.0/8"), parse("::1"));

    /** Bytes of an IPv6 address that name the network of one source. */
    private static final int SOURCE_BYTES = 8;

    /** Checks the prefix. */
    public Network {
        Objects.requireNonNull(base, "base");
        int most = base.getAddress().length * Byte.SIZE;
        if (prefix < 0 || prefix > most) {
            throw new IllegalArgumentException("prefix /" + prefix + " is not within 0 to " + most);
        }
    }

    /**
     * Reads a network.
     *
     * @param text for example {@code 10.0.0.0/8}, {@code 192.0.2.7} or {@code fd00::/8}; no names
     * @return the network
     * @throws IllegalArgumentException when it is not of that form
     */
    public static Network parse(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        try {
            InetAddress base = address(address);
            int all = base.getAddress().length * Byte.SIZE;
            return new Network(base, slash < 0 ? all : Integer.parseInt(text.substring(slash + 1)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("not an address or network: " + text, e);
        }
    }

    /**
     * Reads an address. Nothing is looked up.
     *
     * @param text for example {@code 192.0.2.7} or {@code fd00::1}; no names
     * @return the address
     * @throws IllegalArgumentException when it is not of that form
     */
    public static InetAddress address(String text) {
        try {
            // Within brackets nothing but a number is taken for one.
            return text.indexOf(':') < 0
                    ? InetAddress.getByAddress(four(text))
                    : InetAddress.getByName("[" + text + "]");
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("not an address: " + text, e);
        }
    }

    private static byte[] four(String text) {
        if (!text.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}")) {
            throw new IllegalArgumentException("not an address: " + text);
        }
        byte[] address = new byte[4];
        int i = 0;
        for (String part : text.split("\\.", -1)) {
            int number = Integer.parseInt(part);
            if (number > 0xFF) {
                throw new IllegalArgumentException("not an address: " + text);
            }
            address[i++] = (byte) number;
        }
        return address;
    }

    /**
     * Says whether an address belongs to one of several networks.
     *
     * @param networks any number of networks
     * @param address the address
     * @return whether one contains it
     */
    public static boolean anyContains(List<Network> networks, InetAddress address) {
        // Asked for each request: without an iterator.
        for (int i = 0; i < networks.size(); i++) {
            if (networks.get(i).contains(address)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Says whether an address belongs to this network.
     *
     * @param address an address of either family
     * @return whether its leading bits are the network's
     */
    public boolean contains(InetAddress address) {
        byte[] one = base.getAddress();
        byte[] other = address.getAddress();
        if (one.length != other.length) {
            return false;
        }
        if (one.length == Integer.BYTES) {
            // Asked for each request: the compiler makes no arrays that are read like this.
            return prefix == 0 || ((bits(one) ^ bits(other)) >>> (Integer.SIZE - prefix)) == 0;
        }
        int whole = prefix / Byte.SIZE;
        int rest = prefix % Byte.SIZE;
        if (!Arrays.equals(one, 0, whole, other, 0, whole)) {
            return false;
        }
        int mask = 0xFF << (Byte.SIZE - rest);
        return rest == 0 || (one[whole] & mask) == (other[whole] & mask);
    }

    private static int bits(byte[] four) {
        return ((four[0] & 0xFF) << 24)
                | ((four[1] & 0xFF) << 16)
                | ((four[2] & 0xFF) << 8)
                | (four[3] & 0xFF);
    }

    /**
     * Returns what stands for the source of a connection where sources are counted: whoever has one
     * address of an IPv6 network of 64 bits has them all.
     *
     * @param address of a connection
     * @return the same, or the network's first address
     */
    public static InetAddress sourceOf(InetAddress address) {
        if (!(address instanceof Inet6Address)) {
            return address;
        }
        byte[] bytes = address.getAddress();
        Arrays.fill(bytes, SOURCE_BYTES, bytes.length, (byte) 0);
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of " + bytes.length + " bytes", e);
        }
    }

    @Override
    public String toString() {
        return base.getHostAddress() + "/" + prefix;
    }
}
