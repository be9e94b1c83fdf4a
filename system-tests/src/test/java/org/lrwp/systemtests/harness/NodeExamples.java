package org.lrwp.systemtests.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Examples of the JavaScript library that use packages of npm: a copy of the library for each run,
 * so that the packages come to lie below {@code target}.
 */
public final class NodeExamples {
    private static final Map<String, Path> INSTALLED = new HashMap<>();

    private NodeExamples() {}

    /**
     * Installs the packages of a folder of examples in the versions of its lock file, once a run;
     * the test is skipped without npm.
     *
     * @return the folder
     */
    public static synchronized Path install(String name) throws IOException, InterruptedException {
        Tools.require("node", "npm");
        Path known = INSTALLED.get(name);
        if (known != null) {
            return known;
        }
        Path library = Project.target().resolve("node").resolve(name);
        copy(Project.root().resolve("peers/javascript"), library);
        Path folder = library.resolve("examples").resolve(name);
        WebSocketExample.run(folder, "npm ci --ignore-scripts --no-audit --no-fund");
        INSTALLED.put(name, folder);
        return folder;
    }

    /** Starts a program of an installed folder, with the command line of the examples. */
    public static ExamplePeer start(Path program, Scene scene, String app, String... options)
            throws Exception {
        return scene.closing(
                ExamplePeer.start(
                        List.of("node", program.toString()),
                        Map.of(),
                        scene.proxy().lrwpPort(),
                        app,
                        options));
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                Path copy = to.resolve(from.relativize(file));
                if (!file.toString().contains("node_modules")) {
                    Files.createDirectories(copy.resolveSibling(""));
                    Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }
}
