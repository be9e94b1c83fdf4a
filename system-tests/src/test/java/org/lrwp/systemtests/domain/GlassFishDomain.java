package org.lrwp.systemtests.domain;

import org.lrwp.systemtests.harness.FreePorts;
import org.lrwp.systemtests.harness.Project;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A domain of its own in a temporary folder, all of its listeners on free loopback ports. */
final class GlassFishDomain {
    private static final Duration LONGEST_COMMAND = Duration.ofMinutes(3);
    private static final String NAME = "lrwp";
    private static final Path ASADMIN = Project.built().resolve("glassfish/glassfish8/bin/asadmin");

    private final Path folder;
    private final int adminPort;
    private final int httpPort;
    private final int httpsPort;

    private GlassFishDomain(Path folder, int adminPort, int httpPort, int httpsPort) {
        this.folder = folder;
        this.adminPort = adminPort;
        this.httpPort = httpPort;
        this.httpsPort = httpsPort;
    }

    /**
     * How a command of asadmin ended.
     *
     * @param code its exit code
     * @param output what it printed
     */
    record Outcome(int code, String output) {
        Outcome requireSuccess() {
            if (code != 0) {
                throw new AssertionError("asadmin ended with " + code + ": " + output);
            }
            return this;
        }
    }

    /**
     * Creates a domain, puts the proxy's configuration into its folder and starts it.
     *
     * @param folder an empty folder
     * @param configuration the text of lrwp.properties
     */
    static GlassFishDomain start(Path folder, String configuration)
            throws IOException, InterruptedException {
        List<Integer> ports = FreePorts.several(10);
        GlassFishDomain domain =
                new GlassFishDomain(folder, ports.get(0), ports.get(1), ports.get(2));
        String[] others = {
            "http.ssl.port",
            "jms.port",
            "domain.jmxPort",
            "orb.listener.port",
            "orb.ssl.port",
            "orb.mutualauth.port",
            "osgi.shell.telnet.port",
            "java.debugger.port"
        };
        StringBuilder properties = new StringBuilder();
        for (int i = 0; i < others.length; i++) {
            properties
                    .append(i == 0 ? "" : ":")
                    .append(others[i])
                    .append('=')
                    .append(ports.get(i + 2));
        }
        domain.asadmin(
                        "create-domain",
                        "--nopassword=true",
                        "--domaindir",
                        folder.toString(),
                        "--adminport",
                        Integer.toString(domain.adminPort),
                        "--instanceport",
                        Integer.toString(domain.httpPort),
                        "--domainproperties",
                        properties.toString(),
                        NAME)
                .requireSuccess();
        domain.keepToLoopback();
        domain.startQuickly();
        Files.writeString(domain.config().resolve("lrwp.properties"), configuration);
        domain.asadmin("start-domain", "--domaindir", folder.toString(), NAME).requireSuccess();
        return domain;
    }

    /** The folder of its configuration. */
    Path config() {
        return folder.resolve(NAME).resolve("config");
    }

    private void keepToLoopback() throws IOException {
        Path file = config().resolve("domain.xml");
        String loopback = "address=\"127.0.0.1\"";
        String text = Files.readString(file);
        Files.writeString(
                file,
                text.replace("address=\"0.0.0.0\"", loopback)
                        .replace(
                                "<network-listener port",
                                "<network-listener " + loopback + " port"));
    }

    /** The options of the build for processes of the tests. */
    private void startQuickly() throws IOException {
        Path file = config().resolve("domain.xml");
        String first = "<jvm-options>";
        StringBuilder options = new StringBuilder();
        for (String option : Project.processOptions()) {
            options.append(first).append(option).append("</jvm-options>");
        }
        Files.writeString(file, Files.readString(file).replaceFirst(first, options + first));
    }

    int httpPort() {
        return httpPort;
    }

    /** That of the listener with TLS. */
    int httpsPort() {
        return httpsPort;
    }

    /** Runs a command against the running domain. */
    Outcome remote(String... command) throws IOException, InterruptedException {
        List<String> all =
                new ArrayList<>(
                        List.of("--host", "127.0.0.1", "--port", Integer.toString(adminPort)));
        all.addAll(List.of(command));
        return asadmin(all.toArray(String[]::new));
    }

    /** Stops the domain and starts it again, with the options of the JVM that it has by now. */
    void restart() throws IOException, InterruptedException {
        asadmin("restart-domain", "--domaindir", folder.toString(), NAME).requireSuccess();
    }

    /** Runs the tuning script against the running domain. */
    Outcome tune(String... options) throws IOException, InterruptedException {
        List<String> all =
                new ArrayList<>(
                        List.of(
                                Project.root().resolve("solaris-tuning/tune-glassfish").toString(),
                                "--asadmin",
                                ASADMIN.toString(),
                                "--state",
                                folder.resolve("tuning.state").toString()));
        all.addAll(List.of(options));
        all.addAll(List.of("--", "--host", "127.0.0.1", "--port", Integer.toString(adminPort)));
        return run(all);
    }

    private Outcome asadmin(String... command) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("bash", ASADMIN.toString()));
        all.addAll(List.of(command));
        return run(all);
    }

    private Outcome run(List<String> all) throws IOException, InterruptedException {
        Path output = Files.createTempFile(folder, "asadmin", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(all).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("AS_JAVA", System.getProperty("java.home"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        // asadmin keeps what it knows of servers in the user's home folder otherwise.
        builder.environment().put("GF_CLIENT_DIR", folder.resolve("gfclient").toString());
        Process process = builder.start();
        if (!process.waitFor(LONGEST_COMMAND.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("asadmin hangs: " + all + Files.readString(output));
        }
        return new Outcome(process.exitValue(), Files.readString(output));
    }

    private String pid() throws IOException {
        return Files.readString(config().resolve("pid")).strip();
    }

    /** What the server's process holds now, after a garbage collection. */
    DomainFootprint footprint() throws IOException, InterruptedException {
        String histogram = jcmd("GC.class_histogram");
        long loaders =
                histogram
                        .lines()
                        .filter(
                                line ->
                                        line.contains(
                                                "org.glassfish.web.loader.WebappClassLoader "))
                        .mapToLong(line -> Long.parseLong(line.strip().split(" +", -1)[1]))
                        .sum();
        var threads =
                jcmd("Thread.print")
                        .lines()
                        .filter(line -> line.startsWith("\""))
                        .map(line -> line.substring(1, line.indexOf('"', 1)))
                        .map(name -> name.replaceAll("[0-9]+", "#"))
                        .collect(Collectors.groupingBy(name -> name, Collectors.counting()));
        try (Stream<Path> descriptors = Files.list(Path.of("/proc", pid(), "fd"))) {
            return new DomainFootprint(descriptors.count(), listeners(), threads, loaders);
        }
    }

    /** Sockets in state LISTEN that the server's process holds. */
    private long listeners() throws IOException {
        List<String> own = new ArrayList<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc", pid(), "fd"))) {
            for (Path descriptor : descriptors.toList()) {
                if (Files.isSymbolicLink(descriptor)) {
                    own.add(Files.readSymbolicLink(descriptor).toString());
                }
            }
        }
        long found = 0;
        for (String table : List.of("tcp", "tcp6")) {
            for (String row : Files.readAllLines(Path.of("/proc", pid(), "net", table))) {
                String[] columns = row.strip().split("\\s+", -1);
                if (columns[3].equals("0A") && own.contains("socket:[" + columns[9] + "]")) {
                    found++;
                }
            }
        }
        return found;
    }

    /** How the server's virtual machine was started. */
    String commandLine() throws IOException, InterruptedException {
        return jcmd("VM.command_line");
    }

    private String jcmd(String command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(folder, "jcmd", ".txt");
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                                pid(),
                                command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new AssertionError("jcmd " + command + ": " + Files.readString(output));
        }
        return Files.readString(output);
    }

    /** Stops the domain, with force when it does not listen. */
    void stop() throws IOException, InterruptedException {
        Path pid = config().resolve("pid");
        String number = Files.exists(pid) ? pid() : "";
        asadmin("stop-domain", "--domaindir", folder.toString(), "--force=true", NAME);
        if (!number.isEmpty()) {
            ProcessHandle.of(Long.parseLong(number)).ifPresent(ProcessHandle::destroyForcibly);
        }
    }
}
