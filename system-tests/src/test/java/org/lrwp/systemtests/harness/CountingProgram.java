package org.lrwp.systemtests.harness;

import static java.nio.charset.StandardCharsets.US_ASCII;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A program that writes down the number of each request that it does, and dials in in some way. */
public final class CountingProgram {
    private static final Duration LONGEST_BUILD = Duration.ofSeconds(100);
    private static final String COUNTED = "COUNTED";

    /** A way to dial in. */
    public enum Kind {
        /** Django, by {@code lrwp run}. */
        WSGI,
        /** FastAPI, by {@code lrwp run}. */
        ASGI,
        /** A listener of {@code http.createServer}, by {@code serve}. */
        NODE,
        /** A handler of {@code net/http}, by {@code lrwp.Serve}. */
        GO,
        /** A controller of Spring Boot, by the connector for Jetty. */
        SPRING_BOOT,
        /** A page of PHP, by {@code lrwp-connect fastcgi}. */
        PHP,
        /** A CGI program in Perl, by {@code lrwp-connect cgi}. */
        CGI,
        /** A server in JavaScript that {@code lrwp-connect run} starts. */
        RUN,
        /** A server in Go with {@code lrwp-connect http} beside it. */
        HTTP
    }

    /** One of several processes that do the same. */
    public interface Instance {
        /** Waits until it serves. */
        void awaitRegistered() throws Exception;

        /** Tells it to leave, and waits for its end. */
        void leave() throws Exception;
    }

    private final Kind kind;
    private final Scene scene;
    private final Path counted;

    /** What the kind needs beside its instances: a program, or the address of a server. */
    private final String needed;

    /**
     * Prepares what the kind needs; skips the test when the machine does not have it.
     *
     * @param folder of the test
     */
    public CountingProgram(Kind kind, Scene scene, Path folder) throws Exception {
        this.kind = kind;
        this.scene = scene;
        // Workers of PHP are somebody else.
        counted = Files.createFile(folder.resolve("counted"));
        Files.setPosixFilePermissions(counted, PosixFilePermissions.fromString("rw-rw-rw-"));
        needed = prepare(folder);
    }

    private String prepare(Path folder) throws Exception {
        return switch (kind) {
            case WSGI, ASGI -> {
                PythonProgram.prepare();
                yield "counting_" + (kind == Kind.WSGI ? "django" : "fastapi");
            }
            case NODE, RUN -> {
                Tools.require("node");
                yield source("counting.mjs");
            }
            case GO, HTTP -> {
                Tools.require("go");
                yield built();
            }
            case PHP -> {
                Path page = Path.of(source("count.php"));
                Files.copy(page, folder.resolve("count.php"), StandardCopyOption.REPLACE_EXISTING);
                yield PhpFpm.start(scene, folder);
            }
            case CGI -> {
                Tools.require("perl");
                yield source("");
            }
            case SPRING_BOOT -> "";
        };
    }

    private static String source(String name) {
        return Project.peers().resolve("counting").resolve(name).toString();
    }

    private static String built() throws IOException, InterruptedException {
        String program = Project.target().resolve("counting").toString();
        String build = "cd \"$0\" && exec go build -o \"$1\" \"$2\"";
        String library = Project.root().resolve("peers/go").toString();
        List<String> command = List.of("sh", "-c", build, library, program, source("counting.go"));
        Tools.run(Project.target(), LONGEST_BUILD, "", command);
        return program;
    }

    /** The file with the numbers, in lines that may have more in them. */
    public Path counted() {
        return counted;
    }

    /** Sends a number with a client, and requires the answer that belongs to it. */
    public void send(RawHttp client, String number) throws IOException {
        boolean shop = kind == Kind.SPRING_BOOT;
        String path = shop ? "/orders" : kind == Kind.PHP ? "/count.php" : "/count";
        String body = shop ? "{\"article\":\"" + number + "\",\"count\":1}" : number;
        String type = shop ? "application/json" : "text/plain";
        client.post(scene.path(path), body.getBytes(US_ASCII), "Content-Type: " + type);
        HttpAnswer answer = client.answer();
        if (answer.status() / 100 != 2 || !answer.text().equals(body)) {
            throw new AssertionError(number + " got " + answer + " " + answer.text());
        }
    }

    /** Starts one more instance. */
    public Instance start() throws Exception {
        return switch (kind) {
            case WSGI, ASGI -> peer(PythonProgram.command(needed, Path.of(source(""))));
            case NODE -> peer(List.of("node", needed));
            case GO -> peer(List.of(needed));
            case SPRING_BOOT -> {
                String log = "--logging.file.name=" + counted;
                int port = scene.proxy().lrwpPort();
                yield new Peer(scene.closing(SpringBootShop.start(port, scene.app(), log)));
            }
            case PHP -> {
                Path socket = Path.of(needed.substring("unix:".length()));
                String root = String.valueOf(socket.getParent());
                yield connect("fastcgi", needed, scene.path(""), "--root", root, "--connections=1");
            }
            case CGI -> connect("cgi", needed, scene.path(""));
            case RUN ->
                    connect(
                            "run",
                            "--context=" + scene.path(""),
                            "--port-env=PORT",
                            "--",
                            "node",
                            needed);
            case HTTP -> beside();
        };
    }

    private Instance peer(List<String> command) throws IOException {
        Map<String, String> environment =
                Map.of(
                        COUNTED,
                        counted.toString(),
                        "PYTHONPATH",
                        PythonProgram.frameworks().toString());
        int port = scene.proxy().lrwpPort();
        return new Peer(scene.closing(ExamplePeer.start(command, environment, port, scene.app())));
    }

    private Instance connect(String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of("--env", COUNTED + "=" + counted));
        all.addAll(List.of(arguments));
        return new Connected(scene.closing(ConnectProcess.start(scene.proxy(), all)), null);
    }

    /** The server has a port of its own; the agent dials in when it is well. */
    private Instance beside() throws Exception {
        int port = FreePorts.one();
        String command = "COUNTED='" + counted + "' exec '" + needed + "' " + port;
        ProcessPeer server = scene.closing(ProcessPeer.start(List.of("sh", "-c", command)));
        List<String> arguments =
                List.of("http", "http://127.0.0.1:" + port, scene.path(""), "--health=/");
        return new Connected(scene.closing(ConnectProcess.start(scene.proxy(), arguments)), server);
    }

    private record Peer(ExamplePeer process) implements Instance {
        @Override
        public void awaitRegistered() throws Exception {
            process.awaitLine("registered");
        }

        @Override
        public void leave() throws Exception {
            process.terminate();
            process.awaitEnd();
        }
    }

    private record Connected(ConnectProcess process, @Nullable ProcessPeer server)
            implements Instance {
        @Override
        public void awaitRegistered() throws Exception {
            process.awaitRegistered();
        }

        @Override
        public void leave() throws Exception {
            process.leave();
            if (server != null) {
                server.close();
            }
        }
    }
}
