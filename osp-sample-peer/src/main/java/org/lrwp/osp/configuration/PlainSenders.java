package org.lrwp.osp.configuration;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.network.Network;
import org.lrwp.runtime.configuration.ValueType;
import org.lrwp.runtime.configuration.ValueTypes;

import java.net.InetAddress;
import java.util.ArrayList;
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
                    "all; or loopback, networks as 10.0.0.0/8 and addresses, separated by commas",
                    PlainSenders::parse);

    /** Copies the list. */
    public PlainSenders {
        networks = List.copyOf(networks);
    }

    private static PlainSenders parse(String text) {
        if (text.equals(ALL)) {
            return new PlainSenders(true, List.of());
        }
        List<Network> networks = new ArrayList<>();
        for (String each : ValueTypes.LIST.parse(text)) {
            if (each.equals(LOOPBACK)) {
                networks.addAll(Network.LOOPBACK);
            } else {
                networks.add(Network.parse(each));
            }
        }
        return new PlainSenders(false, networks);
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
