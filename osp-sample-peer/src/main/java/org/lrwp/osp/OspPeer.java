package org.lrwp.osp;

import org.lrwp.osp.cdr.CdrStore;
import org.lrwp.osp.configuration.OspConfiguration;
import org.lrwp.osp.configuration.OspKeys;
import org.lrwp.osp.enrolment.Accounts;
import org.lrwp.osp.enrolment.CertificateAuthority;
import org.lrwp.osp.enrolment.EnrolmentHandler;
import org.lrwp.osp.replay.TakenOnce;
import org.lrwp.osp.routing.BadTablesException;
import org.lrwp.osp.routing.RoutingDesk;
import org.lrwp.osp.statistics.CallCounters;
import org.lrwp.osp.statistics.CallReport;
import org.lrwp.osp.token.KeyRotation;
import org.lrwp.osp.token.KeySeparation;
import org.lrwp.osp.token.Revocations;
import org.lrwp.osp.token.SigningIdentity;
import org.lrwp.runtime.BadOptionException;
import org.lrwp.runtime.KeyOptions;
import org.lrwp.runtime.PeerOptions;
import org.lrwp.runtime.PeerProgram;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.configuration.Live;
import org.lrwp.runtime.module.Action;
import org.lrwp.runtime.operation.GuessLimit;
import org.lrwp.runtime.operation.Operation;
import org.lrwp.sdk.RequestHandler;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/** The program: an OSP server that dials in to proxies and serves {@code /osp} there. */
@Command(
        name = "osp-peer",
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        subcommands = {
            CreateKeys.class,
            RoutesCommand.class,
            CdrCommand.class,
            StatusCommand.class
        },
        description = "An OSP server (ETSI TS 101 321) that dials in to the proxy.")
public final class OspPeer implements Callable<Integer> {
    /** The data folder where none is named. */
    static final String DATA = "osp-data";

    private static final String CONTEXT = "/osp";
    private static final String ENROLMENT_CONTEXT = "/tep";

    /** The size of nexus.log at which it is put aside, in bytes. */
    private static final long MOST_LOG = 10_000_000;

    /** How often files are looked at for changes. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    /** Usages wait for the disk together: the more at once, the more share one wait. */
    private static final int CONCURRENCY = 64;

    @Mixin private PeerOptions peer = new PeerOptions(CONCURRENCY);

    @Option(
            names = "--data",
            paramLabel = "FOLDER",
            description = "What the peer keeps; made at the first start. Default: " + DATA)
    private Path data = Path.of(DATA);

    @Spec private CommandSpec spec = CommandSpec.create();

    private final KeyOptions keys = new KeyOptions(OspKeys.all());

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
        OspPeer program = new OspPeer();
        CommandLine line = new CommandLine(program);
        program.keys.addTo(line.getCommandSpec());
        return line.setParameterExceptionHandler(
                        (unusable, arguments) -> refuse(unusable, unusable.getCommandLine()))
                .setExecutionExceptionHandler(
                        (fault, commandLine, parsed) -> {
                            if (fault instanceof BadOptionException
                                    || fault instanceof BadConfigurationException) {
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
    public Integer call() throws BadOptionException, BadConfigurationException {
        ParseResult parsed = spec.commandLine().getParseResult();
        Configuration configuration =
                Configuration.open(OspKeys.all(), keys.settings(parsed), keys.file(parsed));
        FileChannel lock = RecordsStart.lock(data);
        try {
            return serve(configuration);
        } finally {
            RecordsStart.unlock(lock);
        }
    }

    private int serve(Configuration configuration)
            throws BadOptionException, BadConfigurationException {
        Live<OspConfiguration> live =
                configuration.bind(values -> OspConfiguration.of(values, configuration.file()));
        OspConfiguration first = live.get();
        ServerKeys signer = ServerKeys.load(data, first, OspPeer::log);
        CallCounters counters = new CallCounters();
        RoutingDesk desk =
                RoutesStart.desk(
                        first, RoutesStart.source(first, data, OspPeer::log), OspPeer::log);
        CallReport report = report(counters);
        KeyRotation rotation =
                new KeyRotation(
                        signer.source(),
                        signer.keys(),
                        new KeySeparation(signer.authorities()),
                        OspPeer::log);
        Revocations revoked = TrustStart.revocations(first, OspPeer::log);
        try (CdrStore records = RecordsStart.store(first, data, OspPeer::log);
                TakenOnce taken = TrustStart.taken(first, data, OspPeer::log);
                OspServer server =
                        server(
                                first,
                                TrustStart.trust(signer, revoked, taken),
                                desk,
                                records,
                                counters)) {
            live.onChange(() -> change(live, records, server, desk));
            PeerProgram program = program(live, signer, server).atEnd(() -> end(report, records));
            OspOperated operated =
                    new OspOperated(
                            configuration,
                            counters,
                            records,
                            desk.routing(),
                            List.of(reload(desk), program.drainAction()));
            ReportClock looks = ReportClock.start(LOOK, () -> look(rotation, desk, revoked));
            ReportClock reports = ReportClock.start(first.watching().interval(), report::span);
            try (Operation operation = Operation.open(operated, first.watching().admin())) {
                OspOperated.tellPort(data, operation.adminPort());
                return program.run();
            } finally {
                looks.stop();
                reports.stop();
            }
        }
    }

    private static void end(CallReport report, CdrStore records) {
        report.end();
        records.settle();
    }

    private static Action reload(RoutingDesk desk) {
        return new Action(
                "reload-routes",
                "Loads the routing tables, changed or not; a fault in them leaves those so far.",
                () -> {
                    try {
                        return "The routes are loaded: " + desk.reload() + ".";
                    } catch (BadTablesException unfit) {
                        throw new IOException("The routes stay as they are: " + unfit.getMessage());
                    }
                });
    }

    private CallReport report(CallCounters counters) {
        NexusLog nexus = new NexusLog(data.resolve("nexus.log"), MOST_LOG, InstantSource.system());
        return new CallReport(
                counters,
                System::nanoTime,
                line -> {
                    log(line);
                    nexus.accept(line);
                });
    }

    private static void look(KeyRotation rotation, RoutingDesk desk, Revocations revoked) {
        rotation.look();
        desk.look();
        revoked.look();
    }

    /** One change after another, so that the last one stays. */
    private synchronized void change(
            Live<OspConfiguration> live, CdrStore records, OspServer server, RoutingDesk desk) {
        OspConfiguration now = live.get();
        records.limit(now.records().journal(), now.records().keep());
        desk.judgeBy(now.routing());
        server.answerBy(now);
    }

    private static OspServer server(
            OspConfiguration configuration,
            Trust trust,
            RoutingDesk desk,
            CdrStore records,
            CallCounters counters) {
        OspServer.Ground ground =
                new OspServer.Ground(
                        configuration,
                        trust,
                        desk.routing(),
                        new RoutedCalls(desk.routing(), records),
                        records,
                        InstantSource.system(),
                        new SecureRandom());
        return new OspServer(ground, counters);
    }

    private PeerProgram program(Live<OspConfiguration> live, ServerKeys signer, OspServer server) {
        RequestHandler osp = request -> server.handler().handle(request);
        Optional<Path> accounts = live.get().enrolment().accounts();
        Optional<SigningIdentity> authority = signer.authority();
        if (accounts.isEmpty() || authority.isEmpty()) {
            return new PeerProgram(peer, CONTEXT, osp);
        }
        EnrolmentHandler enrol =
                new EnrolmentHandler(
                        new CertificateAuthority(
                                authority.get(),
                                () -> live.get().enrolment().terms(),
                                InstantSource.system()),
                        new Accounts(accounts.get()),
                        new GuessLimit(
                                live.get().enrolment().guesses(),
                                EnrolmentHandler.GUESS_PAUSE,
                                System::nanoTime),
                        OspPeer::log);
        return new PeerProgram(
                peer,
                List.of(CONTEXT, ENROLMENT_CONTEXT),
                request ->
                        String.valueOf(request.variable("SCRIPT_NAME")).endsWith(ENROLMENT_CONTEXT)
                                ? enrol.handle(request)
                                : osp.handle(request));
    }

    /** Not a constant: the first logger must not come before the logging is prepared. */
    private static void log(String line) {
        System.getLogger(OspPeer.class.getName()).log(Level.INFO, line);
    }
}
