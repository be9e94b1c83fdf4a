package org.lrwp.server;

import org.jspecify.annotations.Nullable;
import org.lrwp.files.Rotation;
import org.lrwp.webapp.Places;

import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;

/**
 * The command line of the server: starts the proxy, and embedded GlassFish when a request needs it,
 * and serves until it is told to stop (Ctrl-C or SIGTERM), then drains and stops in order.
 *
 * <p>Exit codes: 2 when the command line, a port or the configuration is wrong, told in one
 * sentence; 1 when the server failed otherwise; 130 or 143 after a signal.
 */
public final class ProxyServer implements Callable<Integer> {
    private static final Duration LONGEST_STOP = Duration.ofSeconds(60);

    private final PrintStream out;
    private final PrintStream err;

    private final ServerOptions options = new ServerOptions();

    private ProxyServer(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /**
     * Runs the server and ends the JVM.
     *
     * @param args the options
     */
    public static void main(String[] args) {
        // Before anything logs: the JDK makes its log manager once.
        System.setProperty("java.util.logging.manager", LastingLogManager.class.getName());
        // Else picocli looks for a class of Groovy in each jar of the class path.
        System.setProperty("picocli.disable.closures", "true");
        if (!isCommand(args)) {
            // The proxy and the container ask for it, and it takes a while; this thread has to read
            // the command line before that.
            Thread.ofPlatform()
                    .daemon()
                    .name("lrwp-start-jmx")
                    .start(ManagementFactory::getPlatformMBeanServer);
        }
        System.exit(run(System.out, System.err, args));
    }

    /** Whether something else than a server is asked for. */
    private static boolean isCommand(String... args) {
        return args.length > 0 && !args[0].startsWith("-");
    }

    static int run(PrintStream out, PrintStream err, String... args) {
        CommandLine command = new CommandLine(new ProxyServer(out, err).command());
        if (isCommand(args)) {
            addSubcommands(command, out, err);
        }
        command.setOut(new PrintWriter(out, true, StandardCharsets.UTF_8));
        command.setParameterExceptionHandler(
                (wrong, given) -> refuse(err, WrongUse.sentence(wrong)));
        command.setExecutionExceptionHandler(
                (failure, line, parsed) -> {
                    err.println("lrwp: the server failed: " + failure);
                    return 1;
                });
        return command.execute(args);
    }

    private CommandSpec command() {
        CommandSpec command = CommandSpec.wrapWithoutInspection(this);
        command.name("lrwp proxy").versionProvider(new Versions());
        command.usageMessage()
                .description("Serves HTTP; programs dial in by LRWP and answer the requests.")
                .sortOptions(false);
        options.addTo(command);
        return command;
    }

    /** Not for a server: reading what they are takes time of its start. */
    private static void addSubcommands(CommandLine command, PrintStream out, PrintStream err) {
        command.addSubcommand(new CheckCommand(out));
        command.addSubcommand(new DoctorCommand(out));
        CommandLine identity = new CommandLine(new IdentityCommand(err));
        identity.addSubcommand(new IdentityCommand.Create(out, err));
        identity.addSubcommand(new IdentityRenewal(out, err));
        command.addSubcommand(identity);
    }

    private static int refuse(PrintStream err, @Nullable String sentence) {
        err.println("lrwp: " + sentence);
        return ExitCode.USAGE;
    }

    @Override
    public Integer call() throws InterruptedException {
        try {
            serve();
            return 0;
        } catch (StartFault fault) {
            return refuse(err, fault.sentence());
        }
    }

    private void serve() throws StartFault, InterruptedException {
        if (options.httpThreads() < 1) {
            throw new StartFault("--http-threads must be at least 1");
        }
        if (options.logSize() < 0) {
            throw new StartFault("--log-size must be at least 0");
        }
        if (options.logKept() < 1) {
            throw new StartFault("--log-kept must be at least 1");
        }
        if (options.warmUp() < 0) {
            throw new StartFault("--warm-up must be at least 0");
        }
        ServerSettings settings = options.settings();
        var rotation = new Rotation((long) options.logSize() << 20, false, options.logKept());
        ServerLog log = ServerLog.install(out, options.logFile(), rotation);
        EmbeddedServer server = new EmbeddedServer(settings, log);
        Thread stop = new Thread(() -> stopInTime(server, log), "lrwp-stop");
        Runtime.getRuntime().addShutdownHook(stop);
        HangUp.runs(
                () -> {
                    log.reopen();
                    LogCommand.reopenLogs();
                });
        long begin = System.nanoTime();
        Places places;
        try {
            places = server.start();
        } finally {
            // What was logged stands before what is said now.
            log.flush();
        }
        Duration taken = Duration.ofNanos(System.nanoTime() - begin);
        out.print(new Banner(new Versions().proxy(), taken, settings.http(), places).text());
        out.flush();
        new CountDownLatch(1).await();
    }

    private void stopInTime(EmbeddedServer server, ServerLog log) {
        server.drain();
        Thread worker = Thread.ofPlatform().daemon().name("lrwp-stop-worker").start(server::close);
        try (log) {
            if (!worker.join(LONGEST_STOP)) {
                err.println("lrwp: stopping took longer than " + LONGEST_STOP + ", gave up");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
