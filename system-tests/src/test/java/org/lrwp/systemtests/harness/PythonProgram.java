package org.lrwp.systemtests.harness;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Programs of WSGI and ASGI that {@code lrwp run} serves. Their frameworks come from the registry
 * into the folder of the build, and stay there as long as the list of them is the same.
 */
public final class PythonProgram {
    private static final Duration LONGEST_INSTALL = Duration.ofSeconds(110);
    private static final Object INSTALLING = new Object();

    private PythonProgram() {}

    /** Skips the test when Python is missing or the frameworks cannot be had. */
    public static void prepare() throws IOException, InterruptedException {
        Tools.require("python3");
        synchronized (INSTALLING) {
            installOnce();
        }
    }

    /** The machines that test at the same time share the folder: one of them installs. */
    private static void installOnce() throws IOException, InterruptedException {
        Path one = Project.built().resolve("python-frameworks.lock");
        try (FileChannel installing =
                FileChannel.open(one, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            installing.lock();
            Path list = examples().resolve("requirements.txt");
            Path installed = frameworks().resolve("requirements.txt");
            if (!Files.exists(installed) || Files.mismatch(list, installed) >= 0) {
                Files.createDirectories(frameworks());
                install(list);
                Files.writeString(installed, Files.readString(list));
            }
        }
    }

    private static void install(Path list) throws IOException, InterruptedException {
        String options = "-q --disable-pip-version-check --root-user-action ignore --upgrade";
        List<String> command = new ArrayList<>(List.of("python3", "-m", "pip", "install"));
        command.addAll(List.of(options.split(" ")));
        command.addAll(List.of("--target", frameworks().toString(), "-r", list.toString()));
        try {
            Tools.run(Project.target(), LONGEST_INSTALL, "", command);
        } catch (AssertionError e) {
            Tools.missing("skipped: the Python frameworks cannot be had: " + e.getMessage());
        }
    }

    /** Makes a Django project, as its manual begins. */
    public static void startProject(String name, Path folder)
            throws IOException, InterruptedException {
        String django = "import sys; sys.path.insert(0, sys.argv.pop(1));";
        django += "from django.core.management import execute_from_command_line as execute;";
        django += "execute(['django-admin', 'startproject', *sys.argv[1:]])";
        List<String> command = new ArrayList<>(List.of("python3", "-c", django));
        command.addAll(List.of(frameworks().toString(), name, folder.toString()));
        Tools.run(Project.target(), LONGEST_INSTALL, "", command);
    }

    /**
     * Puts the commands into a folder that an installation would give: {@code lrwp} and {@code
     * django-admin}.
     *
     * @return the environment that finds them
     */
    public static Map<String, String> commands(Path folder) throws IOException {
        Files.createDirectories(folder);
        command(folder.resolve("lrwp"), library().resolve("lrwp.py").toString());
        command(folder.resolve("django-admin"), "-m django");
        String path = folder + ":" + System.getenv("PATH");
        return Map.of("PATH", path, "PYTHONPATH", frameworks().toString());
    }

    private static void command(Path file, String program) throws IOException {
        Files.writeString(file, "#!/bin/sh\nexec python3 " + program + " \"$@\"\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    /** Starts one of the examples, with options of {@code lrwp run}; it is served then. */
    public static ExamplePeer start(Scene scene, String program, String app, String... options)
            throws Exception {
        return start(scene, command(program), app, options);
    }

    /** Starts a program that lies in another folder; it is served then. */
    public static ExamplePeer startIn(
            Path folder, Scene scene, String program, String app, String... options)
            throws Exception {
        return start(scene, command(program, folder), app, options);
    }

    private static ExamplePeer start(
            Scene scene, List<String> command, String app, String... options) throws Exception {
        ExamplePeer peer =
                scene.closing(
                        ExamplePeer.start(
                                command,
                                Map.of("PYTHONPATH", frameworks().toString()),
                                scene.proxy().lrwpPort(),
                                app,
                                options));
        peer.awaitRegistered("3.0");
        Wait.require(
                "the context is served",
                Duration.ofSeconds(5),
                () -> scene.proxy().status().number("/" + app, "connections") > 0);
        return peer;
    }

    static List<String> command(String program) {
        return command(program, examples());
    }

    static List<String> command(String program, Path folder) {
        String launcher = library().resolve("lrwp.py").toString();
        return List.of("python3", launcher, "run", program, "--app-dir", folder.toString());
    }

    /** The folder of the library. */
    public static Path library() {
        return Project.root().resolve("peers/python");
    }

    private static Path examples() {
        return library().resolve("examples/adapters");
    }

    static Path frameworks() {
        return Project.built().resolve("python-frameworks");
    }
}
