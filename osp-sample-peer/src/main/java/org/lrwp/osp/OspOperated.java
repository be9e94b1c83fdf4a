package org.lrwp.osp;

import io.prometheus.metrics.model.snapshots.Labels;

import org.lrwp.osp.cdr.CdrStore;
import org.lrwp.osp.file.PrivateFiles;
import org.lrwp.osp.routing.TableRouting;
import org.lrwp.osp.statistics.CallCounters;
import org.lrwp.runtime.BadOptionException;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.metrics.Scrape;
import org.lrwp.runtime.module.Action;
import org.lrwp.runtime.module.Figure;
import org.lrwp.runtime.operation.Operated;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The peer as operators see it: consoles, the endpoint on the loopback address, the command {@code
 * status}.
 *
 * @param configuration its values
 * @param counters what it has answered
 * @param records what it keeps
 * @param routing how destinations do
 * @param actions what it can be told to do
 */
record OspOperated(
        Configuration configuration,
        CallCounters counters,
        CdrStore records,
        TableRouting routing,
        List<Action> actions)
        implements Operated {
    private static final double MILLIS = 1_000;

    /** The file in the data folder with the endpoint's port. */
    static final String PORT_FILE = "admin.port";

    /** Writes the port where the command {@code status} finds it. */
    static void tellPort(Path data, int port) throws BadOptionException {
        try {
            PrivateFiles.own(data.resolve(PORT_FILE));
            Files.writeString(data.resolve(PORT_FILE), Integer.toString(port));
        } catch (IOException failed) {
            throw new BadOptionException("--data: " + data + " cannot be used");
        }
    }

    @Override
    public String name() {
        return "osp";
    }

    @Override
    public String type() {
        return "osp";
    }

    @Override
    public List<Figure> figures() {
        List<Figure> figures = new ArrayList<>(counters.figures());
        figures.add(
                Figure.gauge(
                        "journalBytes",
                        records.waitingBytes(),
                        "bytes",
                        "Records that wait for the database."));
        figures.add(
                Figure.gauge(
                        "journalLag",
                        lagSeconds(),
                        "s",
                        "How long the oldest record has waited for the database."));
        figures.add(
                Figure.gauge(
                        "databaseUp", up(), "", "Whether the database took the last records."));
        return figures;
    }

    private double lagSeconds() {
        return records.lag().toMillis() / MILLIS;
    }

    private long up() {
        return records.databaseIsThere() ? 1 : 0;
    }

    @Override
    public List<String> report() {
        List<String> lines = new ArrayList<>();
        lines.add("calls=" + counters);
        lines.add("journal-bytes=" + records.waitingBytes());
        lines.add("database=" + (records.databaseIsThere() ? "there" : "lost"));
        lines.addAll(routing.report());
        return lines;
    }

    @Override
    public List<Action> actions() {
        return actions;
    }

    @Override
    public void metrics(Scrape scrape) {
        counters.metrics(scrape, name());
        Labels labels = Labels.of("module", name());
        scrape.gauge(
                "lrwp_osp_journal_bytes",
                "Records that wait for the database.",
                labels,
                (double) records.waitingBytes());
        scrape.gauge(
                "lrwp_osp_journal_lag_seconds",
                "How long the oldest record has waited for the database.",
                labels,
                lagSeconds());
        scrape.gauge(
                "lrwp_osp_database_up",
                "Whether the database took the last records.",
                labels,
                (double) up());
    }
}
