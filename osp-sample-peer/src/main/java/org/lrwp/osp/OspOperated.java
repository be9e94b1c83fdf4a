package org.lrwp.osp;

import org.lrwp.osp.cdr.CdrStore;
import org.lrwp.osp.file.PrivateFiles;
import org.lrwp.osp.routing.TableRouting;
import org.lrwp.osp.statistics.CallCounters;
import org.lrwp.osp.statistics.CallMetrics;
import org.lrwp.runtime.BadOptionException;
import org.lrwp.runtime.configuration.Configuration;
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
 */
record OspOperated(
        Configuration configuration, CallCounters counters, CdrStore records, TableRouting routing)
        implements Operated {
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
                new Figure(
                        "journalBytes",
                        records.waitingBytes(),
                        "bytes",
                        "Records that wait for the database."));
        figures.add(
                new Figure("databaseUp", up(), "", "Whether the database took the last records."));
        return figures;
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
    public String metrics() {
        return new CallMetrics(counters, records::waitingBytes, this::up).text();
    }
}
