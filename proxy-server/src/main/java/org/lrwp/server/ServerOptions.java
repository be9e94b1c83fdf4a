package org.lrwp.server;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The options of the server's command line. Made by calls, not by annotations as those of the other
 * commands are: to read annotations took a fifth of the server's start.
 */
final class ServerOptions {
    private final OptionSpec httpPort =
            OptionSpec.builder("--http-port")
                    .paramLabel("N")
                    .type(Integer.class)
                    .defaultValue("1080")
                    .description("HTTP port (default: ${DEFAULT-VALUE}).")
                    .build();

    private final OptionSpec httpAddress =
            OptionSpec.builder("--http-address")
                    .paramLabel("ADDRESS")
                    .type(String.class)
                    .defaultValue("127.0.0.1")
                    .description("HTTP address (default: ${DEFAULT-VALUE}).")
                    .build();

    private final OptionSpec lrwpPort =
            OptionSpec.builder("--lrwp-port")
                    .paramLabel("N")
                    .type(Integer.class)
                    .description(
                            "Port programs dial in to (default: agent.port of the configuration,"
                                    + " else 1081).")
                    .build();

    private final OptionSpec front =
            OptionSpec.builder("--front")
                    .paramLabel("servlet|edge|auto")
                    .type(String.class)
                    .description(
                            "Which way requests for programs take: by the servlet, or at the edge"
                                    + " before the servlet container, which is faster and passes"
                                    + " by its filters, security and access log (default: front of"
                                    + " the configuration, else auto).")
                    .build();

    private final OptionSpec httpsPort =
            OptionSpec.builder("--https-port")
                    .paramLabel("N")
                    .type(Integer.class)
                    .description(
                            "HTTPS port; needs the certificate and its key (default: https.port of"
                                    + " the configuration, else none).")
                    .build();

    private final OptionSpec httpsCertificate =
            OptionSpec.builder("--https-certificate")
                    .paramLabel("FILE")
                    .type(Path.class)
                    .description("PEM file of the certificate chain; read again when it changes.")
                    .build();

    private final OptionSpec httpsKey =
            OptionSpec.builder("--https-key")
                    .paramLabel("FILE")
                    .type(Path.class)
                    .description("PEM file of its private key, which only its owner may read.")
                    .build();

    private final OptionSpec config =
            OptionSpec.builder("--config")
                    .paramLabel("FILE")
                    .type(Path.class)
                    .description("Configuration, a properties file.")
                    .build();

    private final OptionSpec logFile =
            OptionSpec.builder("--log-file")
                    .paramLabel("FILE")
                    .type(Path.class)
                    .description(
                            "Also write all log lines, the container's warnings too, to FILE."
                                    + " SIGHUP opens it anew, and the access and audit logs.")
                    .build();

    private final OptionSpec logSize =
            OptionSpec.builder("--log-size")
                    .paramLabel("MIB")
                    .type(Integer.class)
                    .defaultValue("50")
                    .description(
                            "Size of FILE at which it becomes FILE.1 and a new one begins; 0 = any"
                                    + " size (default: ${DEFAULT-VALUE}).")
                    .build();

    private final OptionSpec logKept =
            OptionSpec.builder("--log-kept")
                    .paramLabel("N")
                    .type(Integer.class)
                    .defaultValue("10")
                    .description("Older files kept beside FILE (default: ${DEFAULT-VALUE}).")
                    .build();

    private final OptionSpec httpThreads =
            OptionSpec.builder("--http-threads")
                    .paramLabel("N")
                    .type(Integer.class)
                    .defaultValue("64")
                    .description("Threads that serve HTTP (default: ${DEFAULT-VALUE}).")
                    .build();

    private final OptionSpec http2 =
            OptionSpec.builder("--http2")
                    .paramLabel("true|false")
                    .type(Boolean.class)
                    .arity("0..1")
                    .fallbackValue("true")
                    .defaultValue("false")
                    .description(
                            "Whether clients may speak HTTP/2, without TLS (default:"
                                    + " ${DEFAULT-VALUE}).")
                    .build();

    private final OptionSpec warmUp =
            OptionSpec.builder("--warm-up")
                    .paramLabel("MILLISECONDS")
                    .type(Integer.class)
                    .defaultValue("700")
                    .description(
                            "How long the server sends requests to itself before it opens the HTTP"
                                    + " port, so that the first clients find it warm; 0 = not at"
                                    + " all (default: ${DEFAULT-VALUE}).")
                    .build();

    private final OptionSpec container =
            OptionSpec.builder("--container")
                    .paramLabel("demand|start")
                    .type(ContainerStart.class)
                    .converters(new ContainerStart.Converter())
                    .defaultValue("demand")
                    .description(
                            "When the servlet container starts: with the first request that no"
                                    + " program answers, or with the proxy (default: demand). With"
                                    + " --http2, --front servlet or agent.transport = own it"
                                    + " starts with the proxy.")
                    .build();

    private final OptionSpec war =
            OptionSpec.builder("--war")
                    .type(Path.class)
                    .hidden(true)
                    .description(
                            "Another web application, a WAR or a folder; its classes come after"
                                    + " those of this one.")
                    .build();

    private final OptionSpec help =
            OptionSpec.builder("-h", "--help")
                    .usageHelp(true)
                    .description("Show this help message and exit.")
                    .build();

    private final OptionSpec version =
            OptionSpec.builder("-V", "--version")
                    .versionHelp(true)
                    .description("Print version information and exit.")
                    .build();

    /** Adds them to a command, in the order in which its help shows them. */
    void addTo(CommandSpec command) {
        List.of(
                        httpPort,
                        httpAddress,
                        lrwpPort,
                        front,
                        httpsPort,
                        httpsCertificate,
                        httpsKey,
                        config,
                        logFile,
                        logSize,
                        logKept,
                        httpThreads,
                        http2,
                        warmUp,
                        container,
                        war,
                        help,
                        version)
                .forEach(command::addOption);
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
