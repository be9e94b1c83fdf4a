package org.lrwp.systemtests.containers;

import org.lrwp.systemtests.harness.FreePorts;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.Project;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Wait;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A container with the web application in a process of its own, on free loopback ports. */
final class ContainerProcess implements AutoCloseable {
    private static final Duration LONGEST_STEP = Duration.ofMinutes(2);

    private final Process process;
    private final Path output;
    private final int httpPort;
    private final int lrwpPort;

    private ContainerProcess(Process process, Path output, int httpPort, int lrwpPort) {
        this.process = process;
        this.output = output;
        this.httpPort = httpPort;
        this.lrwpPort = lrwpPort;
    }

    /**
     * Starts a container and waits until it listens.
     *
     * @param kind which one
     * @param root the context root, empty for the root
     * @param folder an empty one
     * @param settings of the proxy, by key
     */
    static ContainerProcess start(
            ContainerKind kind, String root, Path folder, Map<String, String> settings)
            throws Exception {
        List<Integer> ports = FreePorts.several(2);
        List<String> command = Project.java("-Xmx512m");
        command.add("-Djava.io.tmpdir=" + Files.createDirectory(folder.resolve("tmp")));
        command.add("-Dlrwp.agent.port=" + ports.get(1));
        settings.forEach((key, value) -> command.add("-Dlrwp." + key + "=" + value));
        // Which classes of the application are loaded is a subject of the tests.
        command.add("-Xlog:class+load:file=" + folder.resolve("classes.txt"));
        command.addAll(List.of("-cp", kind.classPath(), kind.program()));
        command.addAll(List.of("" + ports.get(0), war().toString(), root));
        command.add(Files.createDirectory(folder.resolve("base")).toString());
        Path output = folder.resolve("output.txt");
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(variable -> variable.startsWith("LRWP_"));
        ContainerProcess container =
                new ContainerProcess(builder.start(), output, ports.get(0), ports.get(1));
        try {
            container.await("container: the application ");
        } catch (AssertionError e) {
            container.close();
            throw e;
        }
        return container;
    }

    private static Path war() throws IOException {
        try (Stream<Path> files = Files.list(Project.root().resolve("proxy-webapp/target"))) {
            return files.filter(file -> file.toString().endsWith(".war")).findFirst().orElseThrow();
        }
    }

    private void await(String words) throws Exception {
        boolean told =
                Wait.until(LONGEST_STEP, () -> output().contains(words) || !process.isAlive());
        if (!told || !output().contains(words)) {
            throw new AssertionError("the container does not say " + words + ": " + output());
        }
    }

    int httpPort() {
        return httpPort;
    }

    int lrwpPort() {
        return lrwpPort;
    }

    /** Everything it printed so far. */
    String output() throws IOException {
        return Files.readString(output);
    }

    /** The classes that were loaded so far, with where they are from. */
    String classes() throws IOException {
        return Files.readString(output.resolveSibling("classes.txt"));
    }

    HttpAnswer get(String path) throws IOException {
        try (RawHttp client = RawHttp.to(httpPort)) {
            return client.get(path, "Connection: close");
        }
    }

    void undeploy() throws Exception {
        process.getOutputStream().write("undeploy\n".getBytes(StandardCharsets.US_ASCII));
        process.getOutputStream().flush();
        await(Orders.UNDEPLOYED);
    }

    @Override
    public void close() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // It has ended by itself.
        }
        try {
            if (!process.waitFor(LONGEST_STEP.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
