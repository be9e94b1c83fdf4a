package org.lrwp.systemtests.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Where things are. */
public final class Project {
    private Project() {}

    /** The folder with the launcher. */
    public static Path root() {
        String root = System.getProperty("project.root");
        return root == null ? Path.of("..").toAbsolutePath().normalize() : Path.of(root);
    }

    /** Where the build has put what the tests use. */
    public static Path built() {
        return root().resolve("system-tests/target");
    }

    /**
     * Where the files of a run go: a folder for each of the machines that test at the same time.
     */
    public static Path target() {
        Path folder = built().resolve("run-" + System.getProperty("test.fork", "1"));
        try {
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("no folder for this run", e);
        }
    }

    /** Sources of the peers that run as processes. */
    public static Path peers() {
        return root().resolve("system-tests/src/test/peers");
    }

    /** Options of the build for each virtual machine that a test starts. */
    public static List<String> processOptions() {
        return Stream.of(System.getProperty("process.options", "").split(" "))
                .filter(option -> !option.isEmpty())
                .toList();
    }

    /**
     * Begins the command of a program in a virtual machine of its own: a JDK 25, the options of the
     * build, then further ones. The caller may add to it.
     */
    public static List<String> java(String... options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(processOptions());
        command.addAll(List.of(options));
        return command;
    }
}
