package org.lrwp.sdk;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Knows the addresses of one proxy and keeps links to all of them.
 *
 * <p>Runs on a virtual thread of its own, which looks the name up at first, after each loss and
 * from time to time. An address is a target; the loopback addresses of the name are one target
 * together, because they are one machine. A target that the name no longer has keeps its
 * connections until they end. Only the watch's thread starts links.
 */
final class ProxyWatch implements Runnable {
    private static final String LOOPBACK = "loopback";

    /** One of the links that a target is to have. */
    record Slot(String target, String context, int number) {}

    private final ProxyAddress proxy;
    private final LinkSet links;
    private final PeerSettings settings;
    private final EventReport report;
    private final Semaphore lookUp = new Semaphore(0);
    private final Set<Slot> running = ConcurrentHashMap.newKeySet();
    private volatile Map<String, List<InetAddress>> targets = Map.of();

    ProxyWatch(ProxyAddress proxy, LinkSet links, PeerSettings settings, EventReport report) {
        this.proxy = proxy;
        this.links = links;
        this.settings = settings;
        this.report = report;
    }

    int port() {
        return proxy.port();
    }

    /** Returns the addresses to try for a target, empty when the name no longer has it. */
    List<InetAddress> candidates(String target) {
        return targets.getOrDefault(target, List.of());
    }

    /** Says that a link was lost: the name may mean something else by now. */
    void lookUpAgain() {
        lookUp.release();
    }

    /** Says that a link has ended for good; should the name have its target again, it restarts. */
    void ended(Slot slot) {
        running.remove(slot);
        lookUpAgain();
    }

    @Override
    public void run() {
        BackOff backOff = BackOff.of(settings);
        try {
            while (!links.isLeaving()) {
                Duration next = settings.times().lookup();
                try {
                    targets = targets(settings.surroundings().resolver().resolve(proxy.host()));
                    backOff.held(Long.MAX_VALUE);
                } catch (UnknownHostException e) {
                    report.accept(new PeerEvent.Unresolved(proxy, e));
                    next = backOff.next();
                }
                targets.forEach(this::startLinks);
                if (lookUp.tryAcquire(next.toNanos(), TimeUnit.NANOSECONDS)) {
                    lookUp.drainPermits();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static Map<String, List<InetAddress>> targets(List<InetAddress> addresses) {
        Map<String, List<InetAddress>> targets = new LinkedHashMap<>();
        for (InetAddress address : addresses) {
            String target = address.isLoopbackAddress() ? LOOPBACK : address.getHostAddress();
            List<InetAddress> candidates = targets.computeIfAbsent(target, k -> new ArrayList<>());
            if (!candidates.contains(address)) {
                candidates.add(address);
            }
        }
        return targets;
    }

    private void startLinks(String target, List<InetAddress> candidates) {
        InetSocketAddress address = new InetSocketAddress(candidates.getFirst(), proxy.port());
        for (String context : settings.contexts()) {
            for (int number = 1; number <= settings.concurrency(); number++) {
                PeerLink link = new PeerLink(address, context, settings.virtualHost(), number);
                start(new Slot(target, context, number), link);
            }
        }
    }

    private void start(Slot slot, PeerLink link) {
        if (running.add(slot)) {
            Dialer dialer = new Dialer(this, slot, link, links, settings, report);
            if (links.add(dialer)) {
                Thread.ofVirtual().name("lrwp-peer " + link).start(dialer);
            }
        }
    }
}
