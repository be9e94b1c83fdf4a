package org.lrwp.osp.configuration;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.network.Network;
import org.lrwp.runtime.configuration.ValueType;
import org.lrwp.runtime.configuration.ValueTypes;

import java.net.InetAddress;
import java.util.List;

/**
 * From where messages are taken that nobody has signed. What they say of their sender is believed,
 * so these are networks whose hosts tell the truth.
 *
 * @param all whether from everywhere, and whoever has forwarded them
 * @param networks from where, if not from everywhere
 */
public record PlainSenders(boolean all, List<Network> networks) {
    private static final String ALL = "all";
    private static final String LOOPBACK = "loopback";

    /** How it is written. */
    static final ValueType<PlainSenders> TYPE =
            new ValueType<>(
                    "loopback, all, or networks as 10.0.0.0/8 or addresses, separated by commas",
                    PlainSenders::parse);

    /** Copies the list. */
    public PlainSenders {
        networks = List.copyOf(networks);
    }

    private static PlainSenders parse(String text) {
        return switch (text) {
            case ALL -> new PlainSenders(true, List.of());
            case LOOPBACK -> new PlainSenders(false, Network.LOOPBACK);
            default -> new PlainSenders(false, ValueTypes.NETWORKS.parse(text));
        };
    }

    /**
     * Tells whether a message is taken that nobody has signed.
     *
     * @param address where it comes from; null when that is not known, as with requests that
     *     another proxy has forwarded
     * @return whether it is taken
     */
    public boolean takes(@Nullable InetAddress address) {
        return all || (address != null && Network.anyContains(networks, address));
    }
}
