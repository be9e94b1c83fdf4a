package org.lrwp.download.policy;

import org.lrwp.download.rate.Limit;
import org.lrwp.protocol.network.Network;
import org.lrwp.sdk.RequestHead;

import java.net.InetAddress;
import java.time.LocalTime;
import java.util.List;

/**
 * A class of downloads.
 *
 * @param name its name, {@code default} for those that fit no other
 * @param rule who belongs to it
 * @param all limit of all its downloads together
 * @param client limit of each client in it
 * @param request limit of each download
 * @param weight its share of the global rate
 */
public record TrafficClass(
        String name, Rule rule, Limit all, Limit client, Limit request, int weight) {
    /**
     * Who belongs to a class: all of it has to fit.
     *
     * @param paths beginnings of paths, empty for any
     * @param networks of the client's address, empty for any
     * @param header of the request
     * @param hours time of day
     */
    public record Rule(List<String> paths, List<Network> networks, HeaderRule header, Hours hours) {
        /** Copies the lists. */
        public Rule {
            paths = List.copyOf(paths);
            networks = List.copyOf(networks);
        }

        boolean fits(RequestHead request, InetAddress address, LocalTime time) {
            return (paths.isEmpty() || paths.stream().anyMatch(request.pathInfo()::startsWith))
                    && (networks.isEmpty() || Network.anyContains(networks, address))
                    && header.fits(request)
                    && hours.contains(time);
        }
    }

    /**
     * Says whether nothing in the class is limited.
     *
     * @return whether all three limits are none
     */
    public boolean isUnlimited() {
        return !all.isLimited() && !client.isLimited() && !request.isLimited();
    }
}
