package org.lrwp.osp;

import org.lrwp.osp.cdr.CdrDatabase;
import org.lrwp.osp.cdr.CdrExport;
import org.lrwp.osp.cdr.CdrTimes;
import org.lrwp.osp.configuration.OspConfiguration;
import org.lrwp.runtime.BadOptionException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.concurrent.Callable;

/** Writes the records of a span of time; the peer may run meanwhile. For picocli. */
@Command(
        name = "cdr",
        mixinStandardHelpOptions = true,
        description = "Writes call detail records to standard output.")
final class CdrCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--from",
            paramLabel = "TIME",
            description = "First time (UTC), like 2026-11-20 or 2026-11-20T07:00:00Z")
    private String from = "2000-01-01";

    @Option(names = "--to", paramLabel = "TIME", description = "First time that is too late")
    private String to = "9999-01-01";

    @Option(names = "--format", paramLabel = "FORMAT", description = "csv or jsonl. Default: csv")
    private String format = "csv";

    @Mixin private PeerFiles peer = new PeerFiles();

    CdrCommand() {}

    @Override
    public Integer call() throws BadOptionException {
        CdrExport.Format wanted;
        try {
            wanted = CdrExport.Format.valueOf(format.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException neither) {
            throw new BadOptionException("--format: '" + format + "' is neither csv nor jsonl");
        }
        String first = time("--from", from);
        String end = time("--to", to);
        OspConfiguration configuration = peer.configuration();
        PrintWriter out = spec.commandLine().getOut();
        try (CdrDatabase database =
                CdrDatabase.open(RecordsStart.address(configuration, peer.data()))) {
            CdrExport.write(database, first, end, wanted, out);
            out.flush();
            return 0;
        } catch (SQLException | IOException failed) {
            throw new BadOptionException("the records cannot be read: " + failed.getMessage());
        }
    }

    private static String time(String option, String text) throws BadOptionException {
        try {
            return CdrTimes.text(
                    text.length() == "2026-11-20".length()
                            ? LocalDate.parse(text).atStartOfDay().toInstant(ZoneOffset.UTC)
                            : Instant.parse(text));
        } catch (DateTimeException neither) {
            throw new BadOptionException(
                    option + ": '" + text + "' is no time like 2026-11-20 or 2026-11-20T07:00:00Z");
        }
    }
}
