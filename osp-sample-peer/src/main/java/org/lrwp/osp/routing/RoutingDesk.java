package org.lrwp.osp.routing;

import org.lrwp.files.ChangeDetector;
import org.lrwp.osp.message.Party;
import org.lrwp.osp.message.RefusedException;
import org.lrwp.osp.token.TokenClass;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Routing with its tables: loads them, loads them again when they have changed, and explains where
 * a call would go. Tables that cannot be used change nothing but the log.
 */
public final class RoutingDesk {
    private final TableSource source;
    private final Setup setup;
    private final TableRouting routing;
    private final ChangeDetector<Object> changes;

    /**
     * What routing works with.
     *
     * @param tokens which tokens devices take that say nothing else
     * @param openCalls calls that are remembered at most
     * @param callLife how long a call counts without any usage
     * @param window how far back calls count for the quality of a destination
     * @param attempts how many attempts it takes to judge it
     * @param suspension how long it is left out
     */
    public record Settings(
            TokenClass tokens,
            int openCalls,
            Duration callLife,
            Duration window,
            int attempts,
            Duration suspension) {}

    /**
     * What routing uses of its surroundings.
     *
     * @param settings what was set
     * @param random draws lots among equals; any thread may call it
     * @param nanoTime a clock for spans
     * @param log takes lines for reloads, faults and suspended destinations
     */
    public record Setup(
            Settings settings,
            RandomGenerator random,
            LongSupplier nanoTime,
            Consumer<String> log) {}

    /**
     * Loads the tables for the first time.
     *
     * @param source where they are
     * @param setup what to work with
     * @throws BadTablesException when they cannot be used
     */
    public RoutingDesk(TableSource source, Setup setup) throws BadTablesException {
        this.source = source;
        this.setup = setup;
        Settings settings = setup.settings();
        changes = new ChangeDetector<>(source::state);
        RoutingTables tables = TablesLoader.load(source, settings.tokens());
        routing =
                new TableRouting(
                        tables,
                        new OpenCalls(settings.openCalls(), settings.callLife().toNanos()),
                        new DestinationQuality(rule(settings), setup.log()),
                        setup.random(),
                        setup.nanoTime());
        setup.log().accept("routes-loaded " + tables.summary());
    }

    /**
     * Returns the routing.
     *
     * @return the same for all tables to come
     */
    public TableRouting routing() {
        return routing;
    }

    private static DestinationQuality.Rule rule(Settings settings) {
        return new DestinationQuality.Rule(
                settings.window(), settings.attempts(), settings.suspension());
    }

    /**
     * Changes how the quality of destinations is judged.
     *
     * @param settings window, attempts and suspension count; the rest stays as it was at the start
     */
    public void judgeBy(Settings settings) {
        routing.judgeBy(rule(settings));
    }

    /**
     * Looks whether the tables have changed, and loads them when they have and nobody has written
     * since the last look: half a file could be whole rows. For one thread.
     */
    public void look() {
        if (!changes.hasChanged()) {
            return;
        }
        try {
            reload();
        } catch (BadTablesException unfit) {
            // The log has said so; the tables stay as they are.
        }
    }

    /**
     * Loads the tables, changed or not. Any thread.
     *
     * @return how many rows there are of each
     * @throws BadTablesException when they cannot be used; those so far stay
     */
    public String reload() throws BadTablesException {
        try {
            RoutingTables next = TablesLoader.load(source, setup.settings().tokens());
            routing.replace(next);
            setup.log().accept("routes-reloaded " + next.summary());
            return next.summary();
        } catch (BadTablesException unfit) {
            setup.log().accept("routes-kept reason=\"" + unfit.getMessage() + "\"");
            throw unfit;
        }
    }

    /**
     * Explains where a call would go, without counting it.
     *
     * @param number the called number
     * @param from the device's name, or the address it asks from; empty for one that gives none
     * @return lines: what was found, in which order, or why not
     */
    public List<String> explain(String number, String from) {
        List<String> lines = new ArrayList<>();
        Origin origin =
                new Origin(
                        from.isEmpty() ? List.of() : List.of(from),
                        List.of(),
                        Optional.empty(),
                        Optional.empty(),
                        true,
                        false);
        CallToRoute call =
                new CallToRoute(
                        origin,
                        Optional.empty(),
                        new Party("e164", number),
                        Portability.UNKNOWN,
                        List.of(),
                        Optional.empty());
        try {
            Decision decision = routing.explain(call, from, reason -> lines.add(reason.get()));
            for (int i = 0; i < decision.routes().size(); i++) {
                Route route = decision.routes().get(i);
                lines.add(
                        (i + 1)
                                + ". "
                                + route.destination()
                                + " "
                                + route.address()
                                + " called "
                                + route.called().value());
            }
        } catch (RefusedException refusal) {
            lines.add("refused: " + refusal.status().code() + " " + refusal.getMessage());
        }
        return lines;
    }
}
