package org.lrwp.osp.routing;

import org.lrwp.osp.message.Party;
import org.lrwp.osp.message.RefusedException;
import org.lrwp.osp.message.Status;
import org.lrwp.osp.routing.RoutingTables.Prices;
import org.lrwp.osp.routing.RoutingTables.Translations;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Routing by tables: identify the device, change the numbers, look the called one up, put the
 * destinations in their order. The tables may be replaced at any time. Any thread may call it.
 */
public final class TableRouting implements Routing {
    private final AtomicReference<RoutingTables> tables;
    private final OpenCalls calls;
    private final DestinationQuality quality;
    private final Candidates candidates;
    private final LongSupplier nanoTime;

    TableRouting(
            RoutingTables first,
            OpenCalls calls,
            DestinationQuality quality,
            RandomGenerator random,
            LongSupplier nanoTime) {
        this.tables = new AtomicReference<>(first);
        this.calls = calls;
        this.quality = quality;
        this.candidates = new Candidates(calls, quality, random, nanoTime);
        this.nanoTime = nanoTime;
    }

    void replace(RoutingTables next) {
        tables.set(next);
    }

    void judgeBy(DestinationQuality.Rule rule) {
        quality.judgeBy(rule);
    }

    @Override
    public Decision route(CallToRoute call) throws RefusedException {
        RoutingTables now = tables.get();
        return route(
                now, device(now, call, Trace.NONE), call, Trace.NONE, call.underWay().isEmpty());
    }

    /**
     * The same, with reasons and without counting the call.
     *
     * @param from the name of a device; a name that no device has leaves it to the call's origin
     */
    Decision explain(CallToRoute call, String from, Trace trace) throws RefusedException {
        RoutingTables now = tables.get();
        Optional<Device> named =
                now.devices().stream().filter(each -> each.name().equals(from)).findFirst();
        Device device = named.isPresent() ? admitted(named.get(), trace) : device(now, call, trace);
        return route(now, device, call, trace, false);
    }

    @Override
    public Decision begin(String transaction, Decision decision) throws RefusedException {
        RoutingTables now = tables.get();
        OpenCalls.Side device =
                new OpenCalls.Side(decision.device(), mostOfDevice(now, decision.device()));
        List<Route> routes = decision.routes();
        for (int i = 0; i < routes.size(); i++) {
            String name = routes.get(i).destination();
            OpenCalls.Side destination = new OpenCalls.Side(name, mostOfDestination(now, name));
            switch (calls.begin(transaction, device, destination, nanoTime.getAsLong())) {
                case BEGAN -> {
                    return i == 0 ? decision : decision.with(routes.subList(i, routes.size()));
                }
                case DEVICE_FULL -> throw deviceIsFull(device.most());
                case DESTINATION_FULL -> {
                    // The next one may have room.
                }
            }
        }
        throw Candidates.allAreBusy();
    }

    private static int mostOfDevice(RoutingTables now, String name) {
        for (Device each : now.devices()) {
            if (each.name().equals(name)) {
                return each.limits().calls();
            }
        }
        return 0;
    }

    private static int mostOfDestination(RoutingTables now, String name) {
        for (Destination each : now.destinations()) {
            if (each.name().equals(name)) {
                return each.capacity();
            }
        }
        return 0;
    }

    @Override
    public void giveBack(String transaction) {
        calls.end(transaction);
    }

    /**
     * A source reported an attempt.
     *
     * @param transaction the transaction's id
     * @param address the destination's signalling address
     * @param seconds how long the call lasted; 0: it was not answered
     * @param delayMillis the post dial delay; below 0: not known
     */
    public void ended(String transaction, String address, long seconds, long delayMillis) {
        Optional<String> counted = calls.end(transaction);
        Optional<Destination> used = Optional.empty();
        for (Destination each : tables.get().destinations()) {
            // Several may share an address, and only the call itself tells which it was.
            if (each.address().equals(address)
                    && (used.isEmpty() || counted.filter(each.name()::equals).isPresent())) {
                used = Optional.of(each);
            }
        }
        used.ifPresent(each -> quality.attempt(each, seconds, delayMillis, nanoTime.getAsLong()));
    }

    /**
     * Reports how destinations do.
     *
     * @return a line for each destination that had calls, keys and values
     */
    public List<String> report() {
        return quality.report(nanoTime.getAsLong());
    }

    private Decision route(
            RoutingTables now, Device device, CallToRoute call, Trace trace, boolean counts)
            throws RefusedException {
        Translations rules = now.translations();
        Party plain = call.called().withNumber(withoutTech(device, call.called().number()));
        Party asked = device.techPrefix().isEmpty() ? call.called() : plain;
        Party called = rules.calledBefore().applied(device.name(), asked);
        Optional<Party> caller =
                call.caller().map(each -> rules.callingBefore().applied(device.name(), each));
        if (!called.equals(call.called())) {
            trace.because(() -> "called number becomes " + called.number());
        }
        int blocking = now.blocked().find(called.number());
        if (blocking >= 0) {
            trace.because(() -> "blocked by prefix '" + now.blocked().prefix(blocking) + "'");
            throw new RefusedException(Status.ROUTE_BLOCKED);
        }
        if (counts) {
            checkLimits(device);
        }
        Portability ported = portability(now, call, called, trace);
        String number = ported.routingNumber().orElseGet(called::number);
        List<Destination> found =
                candidates.of(
                        now,
                        new Candidates.Wanted(
                                number,
                                ported.cic().filter(now.cics()::contains),
                                price(now, device, called),
                                device.price().margin(),
                                call),
                        trace);
        List<Route> routes = new ArrayList<>(found.size());
        for (Destination each : found) {
            routes.add(route(each, rules, caller, called));
        }
        return new Decision(device.name(), device.tokens(), ported, routes);
    }

    /** The client's own lookup saves ours. */
    private static Portability portability(
            RoutingTables now, CallToRoute call, Party called, Trace trace) {
        Portability known = now.ported().of(called.number(), call.portability());
        if (known.routingNumber().isPresent()) {
            trace.because(
                    () ->
                            "ported, routing number "
                                    + known.routingNumber().get()
                                    + (call.portability().asked() ? "" : " by the table"));
        }
        if (known.cic().isPresent()) {
            trace.because(
                    () ->
                            "cic "
                                    + known.cic().get()
                                    + (now.cics().contains(known.cic().get())
                                            ? ""
                                            : " is of no carrier here"));
        }
        return known;
    }

    private static Route route(
            Destination to, Translations rules, Optional<Party> caller, Party called) {
        Party there = rules.calledAfter().applied(to.name(), called);
        return new Route(
                to.name(),
                to.address(),
                caller.map(each -> rules.callingAfter().applied(to.name(), each)),
                to.outPrefix().isEmpty()
                        ? there
                        : there.withNumber(to.outPrefix() + there.number()),
                to.network(),
                to.protocol(),
                to.ospEnabled());
    }

    private static Device device(RoutingTables now, CallToRoute call, Trace trace)
            throws RefusedException {
        Optional<Device> device = now.device(call.origin(), call.called().number());
        if (device.isEmpty()) {
            trace.because(() -> "no device fits " + call.origin().addresses());
            throw new RefusedException(Status.UNAUTHORISED, "the device is not known");
        }
        return admitted(device.get(), trace);
    }

    private static Device admitted(Device known, Trace trace) throws RefusedException {
        trace.because(() -> "device " + known.name());
        if (known.suspended()) {
            throw new RefusedException(Status.UNAUTHORISED, "the device is suspended");
        }
        if (!known.enrolled()) {
            throw new RefusedException(Status.MAY_NOT_ORIGINATE);
        }
        return known;
    }

    private static String withoutTech(Device device, String number) {
        return number.startsWith(device.techPrefix())
                ? number.substring(device.techPrefix().length())
                : number;
    }

    private void checkLimits(Device device) throws RefusedException {
        long now = nanoTime.getAsLong();
        if (!calls.isWithinRate(device.name(), device.limits().callsASecond(), now)) {
            throw new RefusedException(
                    Status.CALL_RATE_EXCEEDED, device.limits().callsASecond() + " a second");
        }
        int most = device.limits().calls();
        if (most > 0 && calls.ofDevice(device.name(), now) >= most) {
            throw deviceIsFull(most);
        }
    }

    private static RefusedException deviceIsFull(int most) {
        return new RefusedException(
                Status.SERVICE_UNAVAILABLE, "the device has " + most + " calls");
    }

    private static Optional<Integer> price(RoutingTables now, Device device, Party called)
            throws RefusedException {
        Prices tariff = now.tariffs().get(device.price().tariff());
        if (tariff == null) {
            return Optional.empty();
        }
        Optional<Integer> price = tariff.of(called.number());
        if (price.isEmpty()) {
            throw new RefusedException(Status.ROUTE_NOT_FOUND, "the number has no price");
        }
        return price;
    }
}
