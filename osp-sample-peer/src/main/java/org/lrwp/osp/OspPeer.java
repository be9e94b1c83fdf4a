package org.lrwp.osp;

import org.jspecify.annotations.Nullable;
import org.lrwp.osp.statistics.CallCounters;
import org.lrwp.osp.statistics.CallReport;
import org.lrwp.osp.token.IdentityException;
import org.lrwp.osp.token.IdentityFiles;
import org.lrwp.osp.token.IdentityGenerator;
import org.lrwp.osp.token.SigningIdentity;
import org.lrwp.runtime.BadOptionException;
import org.lrwp.runtime.PeerOptions;
import org.lrwp.runtime.PeerProgram;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Callable;

/** The program: an OSP server that dials in to proxies and serves {@code /osp} there. */
@Command(
        name = "osp-peer",
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = "An OSP server (ETSI TS 101 321) that dials in to the proxy.")
public final class OspPeer implements Callable<Integer> {
    private static final String CONTEXT = "/osp";

    @Mixin private PeerOptions peer = new PeerOptions();

    @Option(
            names = "--key",
            paramLabel = "FILE",
            description = "RSA key that signs the tokens (PEM). Default: one is generated")
    private @Nullable Path key;

    @Option(
            names = "--certificate",
            paramLabel = "FILE",
            description = "The key's certificate (PEM)")
    private @Nullable Path certificate;

    @Option(
            names = "--write-keys",
            paramLabel = "FOLDER",
            description = {
                "Write the generated key and certificate there,",
                "as " + IdentityFiles.KEY_FILE + " and " + IdentityFiles.CERTIFICATE_FILE
            })
    private @Nullable Path keyFolder;

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
        InstantSource clock = InstantSource.system();
        SigningIdentity identity = identity(clock);
        CallCounters counters = new CallCounters();
        OspHandler handler = OspHandler.of(identity, counters, clock, new SecureRandom());
        CallReport report = new CallReport(counters, System::nanoTime, OspPeer::log);
        ReportClock reports = ReportClock.start(reportInterval, report::span);
        try {
            return new PeerProgram(peer, CONTEXT, handler).atEnd(report::end).run();
        } finally {
            reports.stop();
        }
    }

    private SigningIdentity identity(InstantSource clock) throws BadOptionException {
        try {
            if (key != null && certificate != null) {
                if (keyFolder != null) {
                    throw new BadOptionException(
                            "--write-keys writes only generated keys: leave out --key");
                }
                return IdentityFiles.read(key, certificate);
            }
            if (key != null || certificate != null) {
                throw new BadOptionException("--key and --certificate go together");
            }
            SigningIdentity generated = new IdentityGenerator(clock).generate();
            String written = "";
            if (keyFolder != null) {
                IdentityFiles.write(generated, keyFolder);
                written = " folder=" + keyFolder;
            }
            log("keys-generated" + written);
            return generated;
        } catch (IdentityException unfit) {
            throw new BadOptionException(String.valueOf(unfit.getMessage()));
        }
    }

    /** Not a constant: the first logger must not come before the logging is prepared. */
    private static void log(String line) {
        System.getLogger(OspPeer.class.getName()).log(Level.INFO, line);
    }
}
