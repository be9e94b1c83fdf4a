package org.lrwp.osp.routing;

import org.lrwp.osp.message.RefusedException;
import org.lrwp.osp.message.Status;
import org.lrwp.osp.routing.RoutingTables.RouteRows;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * The destinations of a number in their order: what the client suggests, then by priority, then by
 * cost; equals share the load by their weights. A call under way stays where it is, as long as that
 * is a destination of the number. Any thread may call it.
 */
final class Candidates {
    private final OpenCalls calls;
    private final DestinationQuality quality;
    private final RandomGenerator random;
    private final LongSupplier nanoTime;

    Candidates(
            OpenCalls calls,
            DestinationQuality quality,
            RandomGenerator random,
            LongSupplier nanoTime) {
        this.calls = calls;
        this.quality = quality;
        this.random = random;
        this.nanoTime = nanoTime;
    }

    /** What is looked for. */
    record Wanted(
            String number,
            Optional<String> cic,
            Optional<Integer> price,
            long margin,
            CallToRoute call) {}

    /** A destination with what its place depends on; lots are drawn for equals. */
    private record Placed(Destination to, int suggested, int priority, int cost, double lot) {
        private static final Comparator<Placed> ORDER =
                Comparator.comparingInt(Placed::suggested)
                        .thenComparingInt(Placed::priority)
                        .thenComparingInt(Placed::cost)
                        .thenComparingDouble(Placed::lot);

        String text() {
            return "%s %s priority=%d cost=%s"
                    .formatted(to.name(), to.address(), priority, Money.text(cost));
        }
    }

    List<Destination> of(RoutingTables tables, Wanted wanted, Trace trace) throws RefusedException {
        RouteRows rows = tables.routes();
        int entry = rows.prefixes().find(wanted.number());
        if (entry < 0) {
            trace.because(() -> "no prefix fits " + wanted.number());
            throw new RefusedException(Status.ROUTE_NOT_FOUND);
        }
        trace.because(
                () -> wanted.number() + " fits prefix '" + rows.prefixes().prefix(entry) + "'");
        List<Placed> placed = new ArrayList<>();
        boolean busy = false;
        long now = nanoTime.getAsLong();
        Optional<String> has =
                wanted.call().underWay().flatMap(each -> calls.destinationOf(each, now));
        for (int i = 0; i < rows.prefixes().rows(entry); i++) {
            int row = rows.prefixes().row(entry, i);
            Destination to = tables.destinations().get(rows.destination()[row]);
            int cost = rows.cost()[row];
            // The call is one of those that fill it, and of those that it is judged by later.
            boolean stays = has.filter(to.name()::equals).isPresent();
            Optional<String> out = leftOut(to, cost, wanted);
            if (out.isEmpty() && !stays && quality.isSuspended(to.name(), now)) {
                out = Optional.of("suspended for its quality");
            }
            if (out.isPresent()) {
                String reason = out.get();
                trace.because(() -> to.name() + " is left out: " + reason);
            } else if (!stays && isFull(to, now)) {
                busy = true;
                trace.because(() -> to.name() + " is left out: has " + to.capacity() + " calls");
            } else {
                placed.add(placed(to, rows, row, wanted, stays));
            }
        }
        if (placed.isEmpty()) {
            throw busy ? allAreBusy() : new RefusedException(Status.ROUTE_NOT_FOUND);
        }
        placed.sort(Placed.ORDER);
        placed.forEach(each -> trace.because(each::text));
        return placed.stream().map(Placed::to).toList();
    }

    static RefusedException allAreBusy() {
        return new RefusedException(Status.SERVICE_UNAVAILABLE, "all destinations are busy");
    }

    private boolean isFull(Destination to, long now) {
        return to.capacity() > 0 && calls.ofDestination(to.name(), now) >= to.capacity();
    }

    private static Optional<String> leftOut(Destination to, int cost, Wanted wanted) {
        if (to.suspended()) {
            return Optional.of("suspended");
        }
        if (wanted.cic().isPresent() && !wanted.cic().get().equals(to.cic())) {
            return Optional.of("the call is for the carrier with cic " + wanted.cic().get());
        }
        if (wanted.price().isPresent() && wanted.price().get() - cost < wanted.margin()) {
            return Optional.of("its cost " + Money.text(cost) + " leaves less than the margin");
        }
        if (wanted.call().origin().addresses().contains(to.address())) {
            return Optional.of("the call comes from there");
        }
        return Optional.empty();
    }

    /** Drawing -ln(u)/w and taking the least gives each its share of first places by weight. */
    private Placed placed(Destination to, RouteRows rows, int row, Wanted wanted, boolean stays) {
        int suggested = wanted.call().suggested().indexOf(to.address());
        int place = suggested < 0 ? Integer.MAX_VALUE : suggested;
        return new Placed(
                to,
                stays ? -1 : place,
                rows.priority()[row],
                rows.cost()[row],
                -Math.log(1 - random.nextDouble()) / rows.weight()[row]);
    }
}
