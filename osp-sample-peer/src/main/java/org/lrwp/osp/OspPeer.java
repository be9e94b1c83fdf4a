package org.lrwp.osp;

import org.jspecify.annotations.Nullable;
import org.lrwp.osp.cdr.CdrStore;
import org.lrwp.osp.configuration.OspConfiguration;
import org.lrwp.osp.enrolment.Accounts;
import org.lrwp.osp.enrolment.CertificateAuthority;
import org.lrwp.osp.enrolment.EnrolmentHandler;
import org.lrwp.osp.routing.RoutingDesk;
import org.lrwp.osp.statistics.CallCounters;
import org.lrwp.osp.statistics.CallMetrics;
import org.lrwp.osp.statistics.CallReport;
import org.lrwp.osp.token.KeyRotation;
import org.lrwp.runtime.BadOptionException;
import org.lrwp.runtime.PeerOptions;
import org.lrwp.runtime.PeerProgram;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** The program: an OSP server that dials in to proxies and serves {@code /osp} there. */
@Command(
        name = "osp-peer",
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        subcommands = {CreateCa.class, RoutesCommand.class, CdrCommand.class, StatusCommand.class},
        description = "An OSP server (ETSI TS 101 321) that dials in to the proxy.")
public final class OspPeer implements Callable<Integer> {
    /** The data folder where none is named. */
    static final String DATA = "osp-data";

    private static final String CONTEXT = "/osp";
    private static final String ENROLMENT_CONTEXT = "/tep";

    /** The size of nexus.log at which it is put aside, in octets. */
    private static final long MOST_LOG = 10_000_000;

    /** How often files are looked at for changes. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    /** Usages wait for the disk together: the more at once, the more share one wait. */
    private static final int CONCURRENCY = 64;

    @Mixin private PeerOptions peer = new PeerOptions(CONCURRENCY);

    @Option(
            names = "--key",
            paramLabel = "FILE",
            description = {
                "Key that signs the tokens (PEM), RSA or ECDSA.",
                "Default: the data folder's, made at the first start"
            })
    private @Nullable Path key;

    @Option(
            names = "--certificate",
            paramLabel = "FILE",
            description = "The key's certificate (PEM)")
    private @Nullable Path certificate;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Configuration, a properties file: docs/osp.md")
    private @Nullable Path config;

    @Option(
            names = "--data",
            paramLabel = "FOLDER",
            description = "What the peer keeps; made at the first start. Default: " + DATA)
    private Path data = Path.of(DATA);

    @Option(
            names = "--report-interval",
            paramLabel = "TIME",
            converter = ReportInterval.class,
            description = "Time between log lines of calls, like PT1M or 60. Default: a minute")
    private Duration reportInterval = ReportInterval.DEFAULT;

    /** Creates the program with the defaults of its options. */
    public OspPeer() {}

    /**
     * Runs the program until it is told to end, and ends the process: exit code 0, or 2 after one
     * sentence on standard error when an option cannot be used or the proxy refuses.
     *
     * @param arguments the command line
     */
    public static void main(String[] arguments) {
        PeerProgram.prepareLogging();
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new OspPeer())
                .setParameterExceptionHandler(
                        (unusable, arguments) -> refuse(unusable, unusable.getCommandLine()))
                .setExecutionExceptionHandler(
                        (fault, commandLine, parsed) -> {
                            if (fault instanceof BadOptionException) {
                                return refuse(fault, commandLine);
                            }
                            throw fault;
                        });
    }

    private static int refuse(Exception unusable, CommandLine commandLine) {
        commandLine.getErr().println(unusable.getMessage());
        return PeerProgram.UNUSABLE;
    }

    @Override
    public Integer call() throws BadOptionException {
        OspConfiguration configuration = OspConfiguration.of(config);
        FileChannel lock = RecordsStart.lock(data);
        try {
            return serve(configuration);
        } finally {
            RecordsStart.unlock(lock);
        }
    }

    private int serve(OspConfiguration configuration) throws BadOptionException {
        ServerKeys keys =
                ServerKeys.load(key, certificate, data, configuration.tokens(), OspPeer::log);
        CallCounters counters = new CallCounters();
        RoutingDesk desk =
                RoutesStart.desk(
                        configuration,
                        RoutesStart.source(configuration, data, OspPeer::log),
                        OspPeer::log);
        NexusLog nexus = new NexusLog(data.resolve("nexus.log"), MOST_LOG, InstantSource.system());
        CallReport report =
                new CallReport(
                        counters,
                        System::nanoTime,
                        line -> {
                            log(line);
                            nexus.accept(line);
                        });
        KeyRotation rotation = new KeyRotation(keys.source(), keys.keys(), OspPeer::log);
        try (CdrStore records = RecordsStart.store(configuration, data, OspPeer::log);
                OspServer server = server(configuration, keys, desk, records, counters)) {
            AdminServer admin = admin(configuration, counters, records, desk);
            ReportClock reports = ReportClock.start(reportInterval, report::span);
            ReportClock looks =
                    ReportClock.start(
                            LOOK,
                            () -> {
                                rotation.look();
                                desk.look();
                            });
            try {
                return program(configuration, keys, server)
                        .atEnd(
                                () -> {
                                    report.end();
                                    records.settle();
                                })
                        .run();
            } finally {
                looks.stop();
                reports.stop();
                admin.close();
            }
        }
    }

    private static OspServer server(
            OspConfiguration configuration,
            ServerKeys keys,
            RoutingDesk desk,
            CdrStore records,
            CallCounters counters) {
        OspServer.Ground ground =
                new OspServer.Ground(
                        configuration,
                        keys.keys(),
                        desk.routing(),
                        new RoutedCalls(desk.routing(), records),
                        records,
                        InstantSource.system(),
                        new SecureRandom());
        return new OspServer(ground, counters);
    }

    private AdminServer admin(
            OspConfiguration configuration,
            CallCounters counters,
            CdrStore records,
            RoutingDesk desk)
            throws BadOptionException {
        CallMetrics metrics =
                new CallMetrics(
                        counters, records::waitingOctets, () -> records.databaseIsThere() ? 1 : 0);
        return AdminServer.start(
                configuration.adminPort(),
                data,
                metrics,
                () -> {
                    List<String> lines = new ArrayList<>();
                    lines.add("calls=" + counters);
                    lines.add("journal-octets=" + records.waitingOctets());
                    lines.add("database=" + (records.databaseIsThere() ? "there" : "lost"));
                    lines.addAll(desk.routing().report());
                    return lines;
                });
    }

    private PeerProgram program(OspConfiguration configuration, ServerKeys keys, OspServer server) {
        OspConfiguration.Enrolment enrolment = configuration.enrolment();
        if (enrolment.accounts().isEmpty()) {
            return new PeerProgram(peer, CONTEXT, server.handler());
        }
        EnrolmentHandler enrol =
                new EnrolmentHandler(
                        new CertificateAuthority(
                                keys.keys(), enrolment.valid(), InstantSource.system()),
                        new Accounts(enrolment.accounts().get()),
                        OspPeer::log);
        return new PeerProgram(
                peer,
                List.of(CONTEXT, ENROLMENT_CONTEXT),
                request ->
                        String.valueOf(request.variable("SCRIPT_NAME")).endsWith(ENROLMENT_CONTEXT)
                                ? enrol.handle(request)
                                : server.handler().handle(request));
    }

    /** Not a constant: the first logger must not come before the logging is prepared. */
    private static void log(String line) {
        System.getLogger(OspPeer.class.getName()).log(Level.INFO, line);
    }
}
