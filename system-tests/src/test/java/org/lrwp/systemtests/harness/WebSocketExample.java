package org.lrwp.systemtests.harness;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The WebSocket echo of each language that has one, on the library that its programs use. The
 * libraries come from their registries into a folder of the run.
 */
public enum WebSocketExample {
    /** Without a library. */
    JAVA(PeerLanguage.JAVA, ""),
    /** On {@code ws}. */
    JAVASCRIPT(PeerLanguage.JAVASCRIPT, "npm"),
    /** On {@code websockets}. */
    PYTHON(PeerLanguage.PYTHON, "python3"),
    /** A program of ASGI, without a library. */
    ASGI(PeerLanguage.PYTHON, ""),
    /** On {@code github.com/coder/websocket}. */
    GO(PeerLanguage.GO, "go");

    private static final Duration LONGEST_INSTALL = Duration.ofSeconds(110);
    private static final Map<WebSocketExample, Path> INSTALLED =
            new EnumMap<>(WebSocketExample.class);

    private final PeerLanguage language;

    /** The program that fetches its library; empty for none. */
    private final String tool;

    WebSocketExample(PeerLanguage language, String tool) {
        this.language = language;
        this.tool = tool;
    }

    /** Starts the echo, and waits until the proxy has it; the test is skipped without its tool. */
    public ExamplePeer start(Scene scene, String app) throws Exception {
        if (!tool.isEmpty()) {
            Tools.require(tool);
        }
        language.prepare();
        Path at;
        synchronized (INSTALLED) {
            at = INSTALLED.get(this);
            if (at == null) {
                at = install();
                INSTALLED.put(this, at);
            }
        }
        Map<String, String> environment =
                this == PYTHON ? Map.of("PYTHONPATH", at.toString()) : Map.of();
        ExamplePeer peer =
                scene.closing(
                        ExamplePeer.start(
                                command(at),
                                environment,
                                scene.proxy().lrwpPort(),
                                app,
                                "--concurrency",
                                "200"));
        peer.awaitRegistered("3.0");
        Wait.require(
                "the context is served",
                Duration.ofSeconds(5),
                () -> scene.proxy().status().number("/" + app, "connections") > 0);
        return peer;
    }

    private static Path peers() {
        return Project.root().resolve("peers");
    }

    private List<String> command(Path at) throws IOException {
        return switch (this) {
            case JAVA -> language.command("webSocketEcho");
            case JAVASCRIPT -> List.of("node", at.resolve("echo.mjs").toString());
            case PYTHON ->
                    List.of(
                            "python3",
                            peers().resolve("python/examples/websocket/echo.py").toString());
            case ASGI -> PythonProgram.command("sockets");
            case GO -> List.of(at.resolve("websocket").toString());
        };
    }

    private Path install() throws IOException, InterruptedException {
        if (this == JAVASCRIPT) {
            return NodeExamples.install("websocket");
        }
        Path folder = Project.target().resolve("websocket").resolve(language.label());
        Files.createDirectories(folder);
        switch (this) {
            case JAVA, JAVASCRIPT, ASGI -> {}
            case PYTHON ->
                    run(
                            peers().resolve("python/examples/websocket"),
                            "python3 -m pip install --disable-pip-version-check --upgrade"
                                    + " --root-user-action ignore"
                                    + (" --target " + folder + " -r requirements.txt"));
            case GO ->
                    run(
                            peers().resolve("go/examples/websocket"),
                            "go build -o " + folder + File.separator + " .");
        }
        return folder;
    }

    /** What only a registry has may be out of reach: a reason to skip, and a fault in CI. */
    static void run(Path folder, String command) throws IOException, InterruptedException {
        try {
            Tools.run(
                    Project.target(),
                    LONGEST_INSTALL,
                    "",
                    List.of("sh", "-c", "cd \"$0\" && exec " + command, folder.toString()));
        } catch (AssertionError e) {
            Tools.missing("skipped: a library cannot be had: " + e.getMessage());
        }
    }
}
