package org.lrwp.server;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The options of the server's command line. Made by calls, not by annotations as those of the other
 * commands are: to read annotations took a fifth of the server's start.
 */
final class ServerOptions {
    /** In the order in which the help shows them. */
    private final List<OptionSpec> all = new ArrayList<>();

    private final OptionSpec httpPort =
            add(
                    OptionSpec.builder("--http-port")
                            .paramLabel("N")
                            .type(Integer.class)
                            .defaultValue("1080")
                            .description("HTTP port (default: ${DEFAULT-VALUE})."));

    private final OptionSpec httpAddress =
            add(
                    OptionSpec.builder("--http-address")
                            .paramLabel("ADDRESS")
                            .type(String.class)
                            .defaultValue("127.0.0.1")
                            .description("HTTP address (default: ${DEFAULT-VALUE})."));

    private final OptionSpec lrwpPort =
            add(
                    OptionSpec.builder("--lrwp-port")
                            .paramLabel("N")
                            .type(Integer.class)
                            .description(
                                    "Port programs dial in to (default: agent.port of the"
                                            + " configuration, else 1081)."));

    private final OptionSpec front =
            add(
                    OptionSpec.builder("--front")
                            .paramLabel("servlet|edge|auto")
                            .type(String.class)
                            .description(
                                    "Which way requests for programs take: by the servlet, or at"
                                        + " the edge before the servlet container, which is faster"
                                        + " and passes by its filters, security and access log"
                                        + " (default: front of the configuration, else auto)."));

    private final OptionSpec httpsPort =
            add(
                    OptionSpec.builder("--https-port")
                            .paramLabel("N")
                            .type(Integer.class)
                            .description(
                                    "HTTPS port; needs the certificate and its key (default:"
                                            + " https.port of the configuration, else none)."));

    private final OptionSpec httpsCertificate =
            add(
                    OptionSpec.builder("--https-certificate")
                            .paramLabel("FILE")
                            .type(Path.class)
                            .description(
                                    "PEM file of the certificate chain; read again when it"
                                            + " changes."));

    private final OptionSpec httpsKey =
            add(
                    OptionSpec.builder("--https-key")
                            .paramLabel("FILE")
                            .type(Path.class)
                            .description(
                                    "PEM file of its private key, which only its owner may read."));

    private final OptionSpec config =
            add(
                    OptionSpec.builder("--config")
                            .paramLabel("FILE")
                            .type(Path.class)
                            .description("Configuration, a properties file."));

    private final OptionSpec logFile =
            add(
                    OptionSpec.builder("--log-file")
                            .paramLabel("FILE")
                            .type(Path.class)
                            .description(
                                    "Also write all log lines, the container's warnings too, to"
                                        + " FILE. SIGHUP opens it anew, and the access and audit"
                                        + " logs."));

    private final OptionSpec logSize =
            add(
                    OptionSpec.builder("--log-size")
                            .paramLabel("MIB")
                            .type(Integer.class)
                            .defaultValue("50")
                            .description(
                                    "Size of FILE at which it becomes FILE.1 and a new one begins;"
                                            + " 0 = any size (default: ${DEFAULT-VALUE})."));

    private final OptionSpec logKept =
            add(
                    OptionSpec.builder("--log-kept")
                            .paramLabel("N")
                            .type(Integer.class)
                            .defaultValue("10")
                            .description(
                                    "Older files kept beside FILE (default: ${DEFAULT-VALUE})."));

    private final OptionSpec httpThreads =
            add(
                    OptionSpec.builder("--http-threads")
                            .paramLabel("N")
                            .type(Integer.class)
                            .defaultValue("64")
                            .description("Threads that serve HTTP (default: ${DEFAULT-VALUE})."));

    private final OptionSpec http2 =
            add(
                    OptionSpec.builder("--http2")
                            .paramLabel("true|false")
                            .type(Boolean.class)
                            .arity("0..1")
                            .fallbackValue("true")
                            .defaultValue("false")
                            .description(
                                    "Whether clients may speak HTTP/2, without TLS (default:"
                                            + " ${DEFAULT-VALUE})."));

    private final OptionSpec warmUp =
            add(
                    OptionSpec.builder("--warm-up")
                            .paramLabel("MILLISECONDS")
                            .type(Integer.class)
                            .defaultValue("700")
                            .description(
                                    "How long the server sends requests to itself before it opens"
                                        + " the HTTP port, so that the first clients find it warm;"
                                        + " 0 = not at all (default: ${DEFAULT-VALUE})."));

    private final OptionSpec container =
            add(
                    OptionSpec.builder("--container")
                            .paramLabel("demand|start")
                            .type(ContainerStart.class)
                            .converters(new ContainerStart.Converter())
                            .defaultValue("demand")
                            .description(
                                    "When the servlet container starts: with the first request that"
                                            + " no program answers, or with the proxy (default:"
                                            + " demand). With --http2, --front servlet or"
                                            + " agent.transport = own it starts with the proxy."));

    private final OptionSpec war =
            add(
                    OptionSpec.builder("--war")
                            .type(Path.class)
                            .hidden(true)
                            .description(
                                    "Another web application, a WAR or a folder; its classes come"
                                            + " after those of this one."));

    ServerOptions() {
        add(
                OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("Show this help message and exit."));
        add(
                OptionSpec.builder("-V", "--version")
                        .versionHelp(true)
                        .description("Print version information and exit."));
    }

    private OptionSpec add(OptionSpec.Builder option) {
        OptionSpec made = option.build();
        all.add(made);
        return made;
    }

    /** Adds them to a command. */
    void addTo(CommandSpec command) {
        all.forEach(command::addOption);
    }

    int httpThreads() {
        return httpThreads.<Integer>getValue();
    }

    @Nullable Path logFile() {
        return logFile.getValue();
    }

    /** MiB. */
    int logSize() {
        return logSize.<Integer>getValue();
    }

    int logKept() {
        return logKept.<Integer>getValue();
    }

    /** Milliseconds. */
    int warmUp() {
        return warmUp.<Integer>getValue();
    }

    ServerSettings settings() {
        Integer port = lrwpPort.getValue();
        return new ServerSettings(
                new Endpoint(
                        "HTTP",
                        "--http-port",
                        httpAddress.getValue(),
                        httpPort.<Integer>getValue()),
                httpThreads(),
                http2.<Boolean>getValue(),
                port == null ? OptionalInt.empty() : OptionalInt.of(port),
                values(),
                config.getValue(),
                Duration.ofMillis(warmUp()),
                container.getValue() == ContainerStart.START,
                war.getValue(),
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

    private static void put(Map<String, String> values, String key, OptionSpec option) {
        Object given = option.getValue();
        if (given != null) {
            values.put("lrwp." + key, given.toString());
        }
    }
}
