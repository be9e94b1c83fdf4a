package org.lrwp.sdk;

import org.lrwp.protocol.ProtocolVersion;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One proxy that a name means, and the links to it.
 *
 * <pre>
 *                 the proxy does not speak 3.0
 *   MULTIPLEXED -------------------------------> SERIAL
 *       ^                                          |
 *       +---- a link that dials again meets 3.0 ---+
 * </pre>
 *
 * <p>Multiplexed, there are as many links as the proxy wants, each for all contexts; serial, one
 * for each context and request at once. Thread-safe; nothing is called with the lock held.
 */
final class Target {
    /** What a proxy's name stands for. Any thread asks; nothing blocks. */
    interface Addresses {
        /** The proxy as it was given. */
        ProxyAddress proxy();

        /** The addresses to try for a target, empty when the name no longer has it. */
        List<SocketAddress> candidates(String target);

        /** A link was lost: the name may mean something else by now. */
        void lookUpAgain();
    }

    private enum Mode {
        MULTIPLEXED,
        SERIAL
    }

    /**
     * One of the links that a target is to have.
     *
     * @param context the only context, empty for a link for all of them
     * @param number counts the links of a context, from 1
     */
    record Slot(String context, int number) {
        boolean isMultiplexed() {
            return context.isEmpty();
        }
    }

    private final String name;
    private final Addresses addresses;
    private final LinkSet links;
    private final PeerConfig config;
    private final EventReport report;
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by the lock.
    private final Map<Slot, Dialer> running = new HashMap<>();
    private Mode mode;
    private ProtocolVersion first;
    private int connections = 1;

    Target(String name, Addresses addresses, LinkSet links, PeerConfig config, EventReport report) {
        this.name = name;
        this.addresses = addresses;
        this.links = links;
        this.config = config;
        this.report = report;
        this.first = config.wire().newest();
        this.mode = first == ProtocolVersion.LRWP_3 ? Mode.MULTIPLEXED : Mode.SERIAL;
    }

    PeerConfig config() {
        return config;
    }

    LinkSet links() {
        return links;
    }

    EventReport report() {
        return report;
    }

    /** Returns the proxy's name as it was given. */
    String host() {
        return addresses.proxy().host();
    }

    /** Returns the addresses to try, empty when the name no longer has them. */
    List<SocketAddress> candidates() {
        return addresses.candidates(name);
    }

    void lookUpAgain() {
        addresses.lookUpAgain();
    }

    /** Starts the links that are missing, and lets those go that are not wanted any more. */
    void adjust() {
        adjust(true);
    }

    /**
     * The same for a target that its name no longer has: its links go on, and none is started.
     *
     * @return whether there are any
     */
    boolean adjustRunning() {
        adjust(false);
        lock.lock();
        try {
            return !running.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private void adjust(boolean starts) {
        List<Dialer> starting = new ArrayList<>();
        List<Dialer> leaving = new ArrayList<>();
        List<Dialer> staying;
        lock.lock();
        try {
            Set<Slot> wanted = wanted();
            for (Slot slot : wanted) {
                if (starts && !running.containsKey(slot)) {
                    place(slot, new Dialer(this, slot, link(slot), first), starting);
                }
            }
            for (Slot slot : List.copyOf(running.keySet())) {
                if (!wanted.contains(slot)) {
                    leaving.add(running.remove(slot));
                }
            }
            staying = List.copyOf(running.values());
        } finally {
            lock.unlock();
        }
        leaving.forEach(Dialer::retire);
        starting.forEach(Dialer::start);
        staying.forEach(Dialer::adjust);
    }

    private void place(Slot slot, Dialer dialer, List<Dialer> starting) {
        if (links.add(dialer)) {
            running.put(slot, dialer);
            starting.add(dialer);
        }
    }

    private Set<Slot> wanted() {
        Demand demand = config.demand().get();
        Set<Slot> wanted = new LinkedHashSet<>();
        if (mode == Mode.MULTIPLEXED && !demand.contexts().isEmpty()) {
            int count = Math.min(connections, Math.max(1, demand.concurrency()));
            for (int number = 1; number <= count; number++) {
                wanted.add(new Slot("", number));
            }
        } else {
            for (String context : demand.contexts()) {
                for (int number = 1; number <= demand.concurrency(); number++) {
                    wanted.add(new Slot(context, number));
                }
            }
        }
        return wanted;
    }

    private PeerLink link(Slot slot) {
        List<SocketAddress> candidates = candidates();
        SocketAddress address =
                candidates.isEmpty()
                        ? new InetSocketAddress(
                                InetAddress.getLoopbackAddress(), addresses.proxy().port())
                        : candidates.get(0);
        String context =
                slot.isMultiplexed() ? String.join(",", config.contexts()) : slot.context();
        return new PeerLink(address, context, config.vhost(), slot.number());
    }

    /** Returns what one multiplexed link takes of the concurrency. */
    int share(int number) {
        lock.lock();
        try {
            Demand demand = config.demand().get();
            int count = Math.min(connections, Math.max(1, demand.concurrency()));
            return number > count ? 0 : demand.share(number, count);
        } finally {
            lock.unlock();
        }
    }

    /** The proxy speaks 3.0 and is served best by so many connections. */
    void multiplexed(int wanted) {
        lock.lock();
        try {
            boolean known = mode == Mode.MULTIPLEXED && connections == wanted;
            if (known) {
                return;
            }
            mode = Mode.MULTIPLEXED;
            first = ProtocolVersion.LRWP_3;
            connections = wanted;
        } finally {
            lock.unlock();
        }
        adjust();
    }

    /** The proxy does not speak 3.0; serial links begin with an older version. */
    void fellBack(ProtocolVersion version) {
        lock.lock();
        try {
            mode = Mode.SERIAL;
            first = version;
        } finally {
            lock.unlock();
        }
        adjust();
    }

    /** A serial link that dialled again has met 3.0. */
    void upgraded() {
        lock.lock();
        try {
            mode = Mode.MULTIPLEXED;
            first = ProtocolVersion.LRWP_3;
            connections = 1;
        } finally {
            lock.unlock();
        }
        adjust();
    }

    /** Starts a link in the place of one whose proxy drains it. */
    void replace(Dialer drained, BackOff backOff) {
        List<Dialer> starting = new ArrayList<>();
        lock.lock();
        try {
            if (running.remove(drained.slot(), drained)) {
                Slot slot = drained.slot();
                place(slot, new Dialer(this, slot, link(slot), first, backOff), starting);
            }
        } finally {
            lock.unlock();
        }
        starting.forEach(Dialer::start);
    }

    /** Says that a link has ended for good; should it be wanted, the watch starts it again. */
    void ended(Dialer dialer) {
        lock.lock();
        try {
            running.remove(dialer.slot(), dialer);
        } finally {
            lock.unlock();
        }
        lookUpAgain();
    }
}
