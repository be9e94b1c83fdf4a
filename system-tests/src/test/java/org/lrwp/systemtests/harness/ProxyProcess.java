package org.lrwp.systemtests.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The real server as a process of its own, on free ports, with its own folder for temporary files.
 * What it prints stands in {@code target/run-N/server-logs/NAME.out}.
 */
public final class ProxyProcess implements AutoCloseable {
    private static final Duration LONGEST_START = Duration.ofMinutes(2);
    private static final Pattern ELASTIC =
            Pattern.compile(
                    "C. Compiler.*|C Compiler.*|G .*|GC .*|glassfish-web-a.*|pool-.*|hk-.*");

    /**
     * GlassFish's JobCleanUpService has a pool of ten threads with Java's own names, of which one
     * more is started whenever one of its tasks falls due, minutes after the start.
     */
    private static final String CLEAN_UP_POOL = "Thread-";

    private static final int CLEAN_UP_THREADS = 10;

    private static final Duration LONGEST_STOP = Duration.ofMinutes(1);

    private final Process process;
    private final int httpPort;
    private final int lrwpPort;
    private final Path output;
    private final Path temporary;
    private final CompletableFuture<Boolean> ready = new CompletableFuture<>();

    private ProxyProcess(Process process, int httpPort, int lrwpPort, Path output, Path temporary) {
        this.process = process;
        this.httpPort = httpPort;
        this.lrwpPort = lrwpPort;
        this.output = output;
        this.temporary = temporary;
    }

    /**
     * Starts a server and waits until it serves.
     *
     * @param name of its files
     * @param configuration its properties file
     * @param more further options
     */
    public static ProxyProcess start(String name, Path configuration, String... more)
            throws Exception {
        return start(name, configuration, Map.of(), more);
    }

    /** The same, with variables of its environment. */
    public static ProxyProcess start(
            String name, Path configuration, Map<String, String> environment, String... more)
            throws Exception {
        List<String> options = new ArrayList<>(List.of("--config", configuration.toString()));
        options.addAll(List.of(more));
        // Asked for one by one they may be the same.
        List<Integer> ports = FreePorts.several(2);
        return ready(
                launch(
                        name,
                        ports.get(0),
                        ports.get(1),
                        environment,
                        options.toArray(String[]::new)));
    }

    /** Starts one at the ports of another one that has ended, and waits until it serves. */
    public static ProxyProcess startAgain(String name, Path configuration, ProxyProcess ended)
            throws Exception {
        return ready(
                launch(name, ended.httpPort, ended.lrwpPort, "--config", configuration.toString()));
    }

    private static ProxyProcess ready(ProxyProcess proxy) throws Exception {
        try {
            if (!proxy.ready.get(LONGEST_START.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("the server ended: " + proxy.output());
            }
        } catch (TimeoutException | ExecutionException e) {
            proxy.close();
            throw new AssertionError("the server did not start: " + proxy.output(), e);
        }
        return proxy;
    }

    /** Starts a server and does not wait. */
    public static ProxyProcess launch(String name, int httpPort, int lrwpPort, String... options)
            throws IOException {
        return launch(name, httpPort, lrwpPort, Map.of(), options);
    }

    private static ProxyProcess launch(
            String name,
            int httpPort,
            int lrwpPort,
            Map<String, String> environment,
            String... options)
            throws IOException {
        Path temporary = recreate(Project.target().resolve("server-tmp").resolve(name));
        Path logs = Files.createDirectories(Project.target().resolve("server-logs"));
        Path jar = Project.root().resolve("proxy-server/target/proxy-server.jar");
        List<String> command = Project.java("-Xmx768m", "--sun-misc-unsafe-memory-access=allow");
        command.addAll(List.of("-jar", jar.toString()));
        command.addAll(1, StartCache.options(jar, command));
        command.add(1, "-Djava.io.tmpdir=" + temporary);
        command.addAll(List.of("--http-port", "" + httpPort, "--lrwp-port", "" + lrwpPort));
        command.addAll(List.of("--warm-up", "0"));
        command.addAll(List.of("--log-file", logs.resolve(name + ".log").toString()));
        command.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(variable -> variable.startsWith("LRWP_"));
        builder.environment().putAll(environment);
        Path output = logs.resolve(name + ".out");
        Files.deleteIfExists(output);
        Files.deleteIfExists(logs.resolve(name + ".log"));
        ProxyProcess proxy =
                new ProxyProcess(builder.start(), httpPort, lrwpPort, output, temporary);
        OutputReader.start(proxy::copyOutput);
        return proxy;
    }

    private static Path recreate(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> old = Files.walk(folder)) {
                for (Path path : old.sorted(java.util.Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
        return Files.createDirectories(folder);
    }

    private void copyOutput() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Files.writeString(
                        output, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                if (line.contains(" is ready after ")) {
                    ready.complete(true);
                }
            }
        } catch (IOException e) {
            // The process ended in the middle of a line.
        }
        ready.complete(false);
    }

    /** Its process id. */
    public long pid() {
        return process.pid();
    }

    /** The port of HTTP. */
    public int httpPort() {
        return httpPort;
    }

    /** The port that peers dial. */
    public int lrwpPort() {
        return lrwpPort;
    }

    /** Everything it printed so far. */
    public String output() throws IOException {
        return Files.exists(output) ? Files.readString(output) : "";
    }

    /** Its folder for temporary files. */
    public Path temporary() {
        return temporary;
    }

    /** The status page. */
    public StatusPage status() throws IOException {
        return StatusPage.of(this);
    }

    /** Open file descriptors. */
    public int descriptors() throws IOException {
        return entries("fd");
    }

    /**
     * Threads, without those of pools of the virtual machine and the container that grow with load
     * up to a bound and shrink again when they are idle. The container's clean-up pool, which only
     * grows, counts as full.
     */
    public int threads() throws IOException {
        Map<String, Integer> names = threadNames();
        names.merge(CLEAN_UP_POOL, CLEAN_UP_THREADS, Math::max);
        return names.entrySet().stream()
                .filter(thread -> !ELASTIC.matcher(thread.getKey()).matches())
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    /** How many threads have which name; digits are left out. */
    public Map<String, Integer> threadNames() throws IOException {
        Map<String, Integer> names = new TreeMap<>();
        try (Stream<Path> list = Files.list(Path.of("/proc/" + process.pid() + "/task"))) {
            for (Path task : list.toList()) {
                try {
                    String name = Files.readString(task.resolve("comm")).strip();
                    names.merge(name.replaceAll("[0-9]+", ""), 1, Integer::sum);
                } catch (IOException e) {
                    if (Files.exists(task)) {
                        throw e;
                    }
                    // It has ended since it was listed.
                }
            }
        }
        return names;
    }

    private int entries(String what) throws IOException {
        try (Stream<Path> list = Files.list(Path.of("/proc/" + process.pid() + "/" + what))) {
            return (int) list.count();
        }
    }

    /** Files of bodies that lie in its folder for temporary files now, open or not. */
    public List<String> spoolFiles() throws IOException {
        try (Stream<Path> list = Files.walk(temporary)) {
            return list.filter(Files::isRegularFile)
                    .map(path -> temporary.relativize(path).toString())
                    .filter(path -> path.contains("spool") || path.endsWith(".body"))
                    .toList();
        }
    }

    /** Asks it to stop, as Ctrl-C or kill does, and waits; the exit code. */
    public int terminate() throws InterruptedException {
        process.destroy();
        return exit(LONGEST_STOP);
    }

    /** Asks it to stop, as Ctrl-C or kill does, and does not wait. */
    public void askToStop() {
        process.destroy();
    }

    /** Waits for its end; the exit code. */
    public int exit(Duration within) throws InterruptedException {
        if (!process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("the server did not end within " + within);
        }
        return process.exitValue();
    }

    /** Whether it runs. */
    public boolean isRunning() {
        return process.isAlive();
    }

    /** The last lines it printed. */
    public String lastLines(int count) {
        List<String> lines;
        try {
            lines = output().lines().toList();
        } catch (IOException e) {
            return "no output: " + e;
        }
        return String.join("\n", lines.subList(Math.max(0, lines.size() - count), lines.size()));
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(LONGEST_STOP.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
