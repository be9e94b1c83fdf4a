package org.lrwp.server;

import org.jspecify.annotations.Nullable;
import org.lrwp.files.Rotation;
import org.lrwp.webapp.Places;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;

/**
 * The command line of the server: starts the proxy, and embedded GlassFish when a request needs it,
 * and serves until it is told to stop (Ctrl-C or SIGTERM), then drains and stops in order.
 *
 * <p>Exit codes: 2 when the command line, a port or the configuration is wrong, told in one
 * sentence; 1 when the server failed otherwise; 130 or 143 after a signal.
 */
@Command(
        name = "lrwp proxy",
        description = "Serves HTTP; programs dial in by LRWP and answer the requests.",
        mixinStandardHelpOptions = true,
        versionProvider = Versions.class,
        sortOptions = false)
public final class ProxyServer implements Callable<Integer> {
    private static final Duration LONGEST_STOP = Duration.ofSeconds(60);

    private final PrintStream out;
    private final PrintStream err;

    @Option(
            names = "--http-port",
            paramLabel = "N",
            description = "HTTP port (default: ${DEFAULT-VALUE}).")
    private int httpPort = 1080;

    @Option(
            names = "--http-address",
            paramLabel = "ADDRESS",
            description = "HTTP address (default: ${DEFAULT-VALUE}).")
    private String httpAddress = "127.0.0.1";

    @Option(
            names = "--lrwp-port",
            paramLabel = "N",
            description =
                    "Port programs dial in to (default: agent.port of the configuration, else"
                            + " 1081).")
    private @Nullable Integer lrwpPort;

    @Option(
            names = "--front",
            paramLabel = "servlet|edge|auto",
            description =
                    "Which way requests for programs take: by the servlet, or at the edge before"
                            + " the servlet container, which is faster and passes by its filters,"
                            + " security and access log (default: front of the configuration, else"
                            + " auto).")
    private @Nullable String front;

    @Option(
            names = "--https-port",
            paramLabel = "N",
            description =
                    "HTTPS port; needs the certificate and its key (default: https.port of the"
                            + " configuration, else none).")
    private @Nullable Integer httpsPort;

    @Option(
            names = "--https-certificate",
            paramLabel = "FILE",
            description = "PEM file of the certificate chain; read again when it changes.")
    private @Nullable Path httpsCertificate;

    @Option(
            names = "--https-key",
            paramLabel = "FILE",
            description = "PEM file of its private key, which only its owner may read.")
    private @Nullable Path httpsKey;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Configuration, a properties file.")
    private @Nullable Path config;

    @Option(
            names = "--log-file",
            paramLabel = "FILE",
            description =
                    "Also write all log lines, the container's warnings too, to FILE. SIGHUP opens"
                            + " it anew, and the access and audit logs.")
    private @Nullable Path logFile;

    @Option(
            names = "--log-size",
            paramLabel = "MIB",
            description =
                    "Size of FILE at which it becomes FILE.1 and a new one begins; 0 = any size"
                            + " (default: ${DEFAULT-VALUE}).")
    private int logSize = 50;

    @Option(
            names = "--log-kept",
            paramLabel = "N",
            description = "Older files kept beside FILE (default: ${DEFAULT-VALUE}).")
    private int logKept = 10;

    @Option(
            names = "--http-threads",
            paramLabel = "N",
            description = "Threads that serve HTTP (default: ${DEFAULT-VALUE}).")
    private int httpThreads = 64;

    @Option(
            names = "--http2",
            paramLabel = "true|false",
            arity = "0..1",
            fallbackValue = "true",
            description =
                    "Whether clients may speak HTTP/2, without TLS (default: ${DEFAULT-VALUE}).")
    private boolean http2;

    @Option(
            names = "--container",
            paramLabel = "demand|start",
            converter = ContainerStart.Converter.class,
            description =
                    "When the servlet container starts: with the first request that no program"
                            + " answers, or with the proxy (default: demand). With --http2,"
                            + " --front servlet or agent.transport = own it starts with the proxy.")
    private ContainerStart container = ContainerStart.DEMAND;

    @Option(
            names = "--war",
            hidden = true,
            description =
                    "Another web application, a WAR or a folder; its classes come after those of"
                            + " this one.")
    private @Nullable Path war;

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
        CommandLine command = new CommandLine(new ProxyServer(out, err));
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
        if (httpThreads < 1) {
            throw new StartFault("--http-threads must be at least 1");
        }
        if (logSize < 0) {
            throw new StartFault("--log-size must be at least 0");
        }
        if (logKept < 1) {
            throw new StartFault("--log-kept must be at least 1");
        }
        Endpoint http = new Endpoint("HTTP", "--http-port", httpAddress, httpPort);
        ServerLog log =
                ServerLog.install(out, logFile, new Rotation((long) logSize << 20, false, logKept));
        EmbeddedServer server = new EmbeddedServer(settings(http), log);
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
        out.print(new Banner(new Versions().proxy(), taken, http, places).text());
        out.flush();
        new CountDownLatch(1).await();
    }

    private ServerSettings settings(Endpoint http) {
        Integer port = lrwpPort;
        return new ServerSettings(
                http,
                httpThreads,
                http2,
                port == null ? OptionalInt.empty() : OptionalInt.of(port),
                values(),
                config,
                container == ContainerStart.START,
                war,
                Path.of(System.getProperty("java.io.tmpdir")));
    }

    /** What the web application reads as system properties. */
    private Map<String, String> values() {
        Map<String, String> values = new HashMap<>();
        put(values, "front", front);
        put(values, "https.port", httpsPort);
        put(values, "https.certificate", httpsCertificate);
        put(values, "https.key", httpsKey);
        return values;
    }

    private static void put(Map<String, String> values, String key, @Nullable Object given) {
        if (given != null) {
            values.put("lrwp." + key, given.toString());
        }
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
