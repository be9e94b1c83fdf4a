package org.lrwp.sdk;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Knows the addresses of one proxy and keeps links to all of them.
 *
 * <p>Runs on a thread of its own, which looks the name up at first, after each loss and from time
 * to time. An address is a target; the loopback addresses of the name are one target together,
 * because they are one machine. A target that the name no longer has keeps its connections until
 * they end.
 */
final class ProxyWatch implements Runnable, Target.Addresses {
    private static final String LOOPBACK = "loopback";

    private final ProxyAddress proxy;
    private final LinkSet links;
    private final PeerConfig settings;
    private final EventReport report;
    private final Semaphore lookUp = new Semaphore(0);
    private final Map<String, Target> known = new ConcurrentHashMap<>();
    private volatile Map<String, List<SocketAddress>> targets = Map.of();

    ProxyWatch(ProxyAddress proxy, LinkSet links, PeerConfig settings, EventReport report) {
        this.proxy = proxy;
        this.links = links;
        this.settings = settings;
        this.report = report;
    }

    @Override
    public ProxyAddress proxy() {
        return proxy;
    }

    @Override
    public List<SocketAddress> candidates(String target) {
        return targets.getOrDefault(target, List.of());
    }

    @Override
    public void lookUpAgain() {
        lookUp.release();
    }

    /** Says that the peer wants something else. */
    void adjust() {
        Map<String, List<SocketAddress>> now = targets;
        now.keySet().forEach(this::adjust);
        known.forEach(
                (name, target) -> {
                    if (!now.containsKey(name) && !target.adjustRunning()) {
                        known.remove(name, target);
                    }
                });
    }

    private void adjust(String target) {
        known.computeIfAbsent(target, name -> new Target(name, this, links, settings, report))
                .adjust();
    }

    @Override
    public void run() {
        BackOff backOff = BackOff.of(settings);
        try {
            while (!links.isLeaving()) {
                Duration next = settings.times().lookup();
                try {
                    targets = look();
                    backOff.held(Long.MAX_VALUE);
                } catch (UnknownHostException e) {
                    report.accept(new PeerEvent.Unresolved(proxy, e));
                    next = backOff.next();
                }
                adjust();
                if (lookUp.tryAcquire(next.toNanos(), TimeUnit.NANOSECONDS)) {
                    lookUp.drainPermits();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Map<String, List<SocketAddress>> look() throws UnknownHostException {
        if (proxy.isSocket()) {
            return Map.of(proxy.host(), List.of(proxy.socket()));
        }
        Map<String, List<SocketAddress>> found = new LinkedHashMap<>();
        targets(settings.surroundings().resolver().resolve(proxy.host()))
                .forEach(
                        (target, addresses) ->
                                found.put(
                                        target,
                                        addresses.stream()
                                                .<SocketAddress>map(this::socket)
                                                .toList()));
        return found;
    }

    private InetSocketAddress socket(InetAddress address) {
        return new InetSocketAddress(address, proxy.port());
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
}
