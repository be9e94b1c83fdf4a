package org.lrwp.download.policy;

import org.lrwp.download.rate.Limit;
import org.lrwp.protocol.network.Network;
import org.lrwp.runtime.configuration.ValueTypes;
import org.lrwp.runtime.configuration.Values;
import org.lrwp.sdk.RequestHead;

import java.net.InetAddress;
import java.time.Duration;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Who gets what, as it is set now. Immutable.
 *
 * @param global limit of all together
 * @param classes in the order in which they are tried; the last fits everybody
 * @param clients what tells clients apart
 * @param connections downloads of one client at once, 0 for any number
 * @param ban who gets nothing
 */
public record DownloadPolicy(
        Limit global, List<TrafficClass> classes, Clients clients, int connections, Ban ban) {
    /** Copies the list. */
    public DownloadPolicy {
        classes = List.copyOf(classes);
    }

    /**
     * What tells clients apart.
     *
     * @param kind address, user or a header
     * @param ipv6Prefix leading bits of an IPv6 address that count
     */
    public record Clients(ClientKind kind, int ipv6Prefix) {}

    /**
     * Who gets nothing.
     *
     * @param networks addresses
     * @param users names
     * @param action what they get instead
     * @param tarpit how long they wait for it there
     */
    public record Ban(
            List<Network> networks, List<String> users, BanAction action, Duration tarpit) {
        /** Copies the lists. */
        public Ban {
            networks = List.copyOf(networks);
            users = List.copyOf(users);
        }

        /**
         * Says whether a request gets nothing.
         *
         * @param request its head
         * @return whether its address or user is banned
         */
        public boolean holds(RequestHead request) {
            if (!networks.isEmpty() && Network.anyContains(networks, address(request))) {
                return true;
            }
            // Inside the proxy the whole env block is made for who asks for the user.
            String user = users.isEmpty() ? null : request.variable("REMOTE_USER");
            return user != null && users.contains(user);
        }
    }

    /**
     * Reads the policy from what is set.
     *
     * @param values all values
     * @return the policy
     * @throws IllegalArgumentException when a rate is above what can be limited
     */
    public static DownloadPolicy of(Values values) {
        Duration burst = values.get(DownloadKeys.BURST_TIME);
        List<Ordered> ordered = new ArrayList<>();
        for (String name : values.members(DownloadKeys.CLASS_RATE)) {
            if (name.equals("default")) {
                throw new IllegalArgumentException(
                        "class.default: its rates are client-rate and request-rate");
            }
            ordered.add(
                    new Ordered(
                            values.of(DownloadKeys.CLASS_ORDER, name), named(values, name, burst)));
        }
        ordered.sort(Comparator.comparingInt(Ordered::order));
        List<TrafficClass> classes = new ArrayList<>();
        ordered.forEach(one -> classes.add(one.trafficClass));
        classes.add(
                new TrafficClass(
                        "default",
                        new TrafficClass.Rule(
                                List.of(),
                                List.of(),
                                new HeaderRule("", ""),
                                new Hours(LocalTime.MIDNIGHT, LocalTime.MIDNIGHT)),
                        Limit.NONE,
                        limit("client-rate", values.get(DownloadKeys.CLIENT_RATE), burst),
                        limit("request-rate", values.get(DownloadKeys.REQUEST_RATE), burst),
                        1));
        return new DownloadPolicy(
                limit("global-rate", values.get(DownloadKeys.GLOBAL_RATE), burst),
                classes,
                new Clients(values.get(DownloadKeys.CLIENT), values.get(DownloadKeys.IPV6_PREFIX)),
                values.get(DownloadKeys.CONNECTIONS),
                new Ban(
                        values.get(DownloadKeys.BAN_NETWORKS),
                        values.get(DownloadKeys.BAN_USERS),
                        values.get(DownloadKeys.BAN_ACTION),
                        values.get(DownloadKeys.BAN_WAIT)));
    }

    private record Ordered(int order, TrafficClass trafficClass) {}

    private static TrafficClass named(Values values, String name, Duration burst) {
        String prefix = "class." + name + ".";
        return new TrafficClass(
                name,
                new TrafficClass.Rule(
                        values.of(DownloadKeys.CLASS_PATHS, name),
                        values.of(DownloadKeys.CLASS_NETWORKS, name),
                        values.of(DownloadKeys.CLASS_HEADER, name),
                        values.of(DownloadKeys.CLASS_HOURS, name)),
                limit(prefix + "rate", values.of(DownloadKeys.CLASS_RATE, name), burst),
                limit(
                        prefix + "client-rate",
                        values.of(DownloadKeys.CLASS_CLIENT_RATE, name),
                        burst),
                limit(
                        prefix + "request-rate",
                        values.of(DownloadKeys.CLASS_REQUEST_RATE, name),
                        burst),
                values.of(DownloadKeys.CLASS_WEIGHT, name));
    }

    private static Limit limit(String key, long rate, Duration burst) {
        if (rate == ValueTypes.UNLIMITED) {
            return new Limit(0, burst);
        }
        try {
            return new Limit(rate, burst);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(key + ": " + e.getMessage(), e);
        }
    }

    private static InetAddress address(RequestHead request) {
        String text = request.variable("REMOTE_ADDR");
        return ClientKind.addressOf(text == null ? "" : text);
    }

    /**
     * Says where a download belongs now.
     *
     * @param request its head
     * @param time time of day
     * @return its class and client
     */
    public Placement place(RequestHead request, LocalTime time) {
        TrafficClass found = classOf(request, time);
        return new Placement(found, client(request), isLimited(found));
    }

    /**
     * Says whether a download has a limit now, without asking who its client is.
     *
     * @param request its head
     * @param time time of day
     * @return what {@link #place} says of it
     */
    public boolean limits(RequestHead request, LocalTime time) {
        return isLimited(classOf(request, time));
    }

    private boolean isLimited(TrafficClass one) {
        return global.isLimited() || !one.isUnlimited();
    }

    private TrafficClass classOf(RequestHead request, LocalTime time) {
        if (classes.size() > 1) {
            InetAddress address = address(request);
            for (TrafficClass one : classes) {
                if (one.rule().fits(request, address, time)) {
                    return one;
                }
            }
        }
        return classes.getLast();
    }

    /**
     * Returns the name of a client.
     *
     * @param request a request of it
     * @return what tells it from others
     */
    public String client(RequestHead request) {
        return clients.kind().of(request, clients.ipv6Prefix());
    }

    /**
     * Says which classes the time of day lets downloads be in.
     *
     * @param time time of day
     * @return their names
     */
    public List<String> openAt(LocalTime time) {
        return classes.stream()
                .filter(one -> one.rule().hours().contains(time))
                .map(TrafficClass::name)
                .toList();
    }
}
