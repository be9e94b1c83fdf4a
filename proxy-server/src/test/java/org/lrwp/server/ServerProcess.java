package org.lrwp.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The built server as a process of its own, with files for its output. */
final class ServerProcess implements AutoCloseable {
    private static final long LONGEST_SECONDS = 120;

    private final Process process;
    private final Path output;
    private final Path errors;

    private ServerProcess(Process process, Path output, Path errors) {
        this.process = process;
        this.output = output;
        this.errors = errors;
    }

    /** Starts {@code java -jar} with a temporary folder of its own below {@code folder}. */
    static ServerProcess start(Path folder, String... options) throws IOException {
        Path temporary = Files.createDirectories(folder.resolve("tmp"));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // The coverage agent of this JVM measures the child too.
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(
                        argument ->
                                argument.startsWith("-javaagent:") && argument.contains("jacoco"))
                .forEach(command::add);
        command.add("--sun-misc-unsafe-memory-access=allow");
        command.add("-Xshare:auto");
        command.add("-Djava.io.tmpdir=" + temporary);
        command.add("-jar");
        command.add(Path.of("target", "proxy-server.jar").toAbsolutePath().toString());
        command.addAll(List.of(options));
        Path output = folder.resolve("output");
        Path errors = folder.resolve("errors");
        Process process =
                new ProcessBuilder(command)
                        .redirectOutput(output.toFile())
                        .redirectError(errors.toFile())
                        .start();
        return new ServerProcess(process, output, errors);
    }

    long pid() {
        return process.pid();
    }

    String output() throws IOException {
        return Files.readString(output);
    }

    String errors() throws IOException {
        return Files.readString(errors);
    }

    /** Waits until the output has {@code words}; the process must still be alive then. */
    void awaitOutput(String words) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_SECONDS);
        while (!output().contains(words)) {
            if (process.waitFor(100, TimeUnit.MILLISECONDS) || System.nanoTime() > deadline) {
                throw new AssertionError(
                        "no \"" + words + "\" in: " + output() + "\nerrors: " + errors());
            }
        }
    }

    void terminate() {
        process.destroy();
    }

    int exitCode() throws InterruptedException {
        if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("the server did not end");
        }
        return process.exitValue();
    }

    /** Sockets in state LISTEN that the process holds, as Linux counts them. */
    long listeners() throws IOException {
        List<String> own;
        try (Stream<Path> descriptors = Files.list(Path.of("/proc", Long.toString(pid()), "fd"))) {
            own = descriptors.map(ServerProcess::target).toList();
        }
        long found = 0;
        for (String table : List.of("tcp", "tcp6")) {
            for (String row :
                    Files.readAllLines(Path.of("/proc", Long.toString(pid()), "net", table))) {
                String[] columns = row.strip().split("\\s+", -1);
                if (columns[3].equals("0A") && own.contains("socket:[" + columns[9] + "]")) {
                    found++;
                }
            }
        }
        return found;
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (NoSuchFileException closedMeanwhile) {
            return "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
