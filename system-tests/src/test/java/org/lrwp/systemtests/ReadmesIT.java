package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.systemtests.harness.Configuration;
import org.lrwp.systemtests.harness.FreePorts;
import org.lrwp.systemtests.harness.OlderJava;
import org.lrwp.systemtests.harness.Page;
import org.lrwp.systemtests.harness.PhpFpm;
import org.lrwp.systemtests.harness.ProcessPeer;
import org.lrwp.systemtests.harness.Project;
import org.lrwp.systemtests.harness.Recipe;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.TlsProxy;
import org.lrwp.systemtests.harness.Tools;
import org.lrwp.testkit.wire.TestAuthority.Issued;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What the READMEs of the libraries say, done as it stands there: each program is built and started
 * by the commands of the page, and answers {@code curl}; with the lines for identity and TLS too.
 * Names of hosts and places of files are replaced, nothing else.
 */
@Timeout(200)
class ReadmesIT {
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final String HELLO = "/hello";

    /** The context that the identity of the pages may serve. */
    private static final String BILLING = "/billing/hello";

    @TempDir private static Path shared;
    private static TlsProxy server;
    private static Issued billing;

    @TempDir private Path folder;
    private Scene scene;

    @BeforeAll
    static void start() throws Exception {
        Tools.require("curl", "openssl");
        Path key = Configuration.write(shared.resolve("key"), "5a".repeat(32) + "\n");
        server =
                new TlsProxy(
                        "readmes",
                        shared,
                        """
                        peer.billing.key.2026a = %s
                        peer.billing.certificate = CN=billing
                        peer.billing.contexts = /billing/**
                        peer.web.key.2026a = %1$s
                        peer.web.contexts = /shop, /cgi-bin, /blog, /node
                        """
                                .formatted(key));
        billing = server.authority().issue("billing");
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void begin() {
        scene = Scene.on(server.process());
    }

    @AfterEach
    void end() {
        scene.close();
    }

    /** A folder with the files of an identity, by the names that the pages have. */
    private Path place(String name) throws IOException {
        Path place = Files.createDirectory(folder.resolve(name));
        Files.copy(server.authority().certificate(), place.resolve("ca.pem"));
        Files.copy(billing.certificate(), place.resolve("peer.pem"));
        for (String key : List.of("billing.key", "billing.2026a.key", "web.key")) {
            Configuration.write(place.resolve(key), Files.readString(shared.resolve("key")));
        }
        Configuration.write(place.resolve("peer.key"), Files.readString(billing.key()));
        return place;
    }

    private static Path peers(String name) {
        return Project.root().resolve("peers").resolve(name);
    }

    /** A copy of a folder or a file, so that nothing is written beside the sources. */
    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                Path copy = from.equals(file) ? to : to.resolve(from.relativize(file));
                Files.createDirectories(copy.resolveSibling(""));
                Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private String insideTls() {
        return "localhost:" + server.tlsPort();
    }

    private String plain(Recipe program) {
        return program.dialling(scene.proxy()).text();
    }

    @Test
    void pythonLibrary() throws Exception {
        Page page = Page.of("peers/python/README.md");
        Path place = place("python");
        copy(peers("python"), place.resolve("lrwp"));
        Path own = place.resolve("venv");
        String venv = "python3 -m venv --without-pip " + own;
        Tools.run(place, LONGEST, "", List.of(venv.split(" ")));
        Map<String, String> environment =
                Map.of(
                        "PIP_PYTHON",
                        own.resolve("bin/python").toString(),
                        "PATH",
                        own.resolve("bin") + ":" + System.getenv("PATH"));
        Recipe commands = page.commands("lrwp run").with("PATH/TO/peers/python", "./lrwp");
        commands.download(place, environment);
        String served =
                "def app(environ, start):\n    start('200 OK', [])\n    return [b'served']\n";
        Files.writeString(place.resolve("app.py"), served);
        assertEquals("served", commands.follow(scene, place, environment));

        // One file is enough.
        Path alone = place("alone");
        copy(peers("python/lrwp.py"), alone.resolve("lrwp.py"));
        Recipe program = page.program("python", "async def handle_async");
        Recipe start = page.commands("python3 hello.py");
        Files.writeString(alone.resolve("hello.py"), plain(program));
        assertEquals("hello /world\n", start.follow(scene, alone, Map.of()));

        Recipe trusted = page.program("python", "identity=\"billing\"");
        Recipe inside =
                trusted.with("proxy-a.example:1082", insideTls())
                        .with("proxy-b.example:1082", "localhost:" + FreePorts.one())
                        .with(HELLO, BILLING);
        String all = program.text();
        Files.writeString(
                alone.resolve("hello.py"),
                all.substring(0, all.indexOf("lrwp.Peer(")) + inside.text());
        assertEquals(
                "hello /world\n",
                start.with(HELLO + "/", BILLING + "/").follow(scene, alone, Map.of()));
        asynchronous(program);
        page.requireAllDone();
    }

    /** The other handler of the program, whose events are left to the reader. */
    private void asynchronous(Recipe program) throws Exception {
        Path place = place("asynchronous");
        copy(peers("python/lrwp.py"), place.resolve("lrwp.py"));
        String events = "import lrwp\n\nasync def my_events():\n    yield 1\n    yield 2\n";
        Files.writeString(
                place.resolve("hello.py"),
                plain(
                        program.with("import lrwp\n", events)
                                .with(" handle,", " handle_async,")
                                .with(HELLO, "/events")));
        String curl = "python3 hello.py\ncurl http://127.0.0.1:1080/events";
        assertEquals("data: 1\n\ndata: 2\n\n", Recipe.of(curl).follow(scene, place, Map.of()));
    }

    @Test
    void javaScriptLibrary() throws Exception {
        Tools.require("node", "npm");
        Page page = Page.of("peers/javascript/README.md");
        Path place = place("javascript");
        copy(peers("javascript"), place.resolve("lrwp"));
        Files.writeString(place.resolve("package.json"), "{}");
        page.commands("npm install")
                .with("PATH/TO/peers/javascript", "./lrwp")
                .download(place, Map.of("npm_config_audit", "false", "npm_config_fund", "false"));
        Files.writeString(place.resolve("app.mjs"), plain(page.program("js", "from 'express'")));
        Recipe app = page.commands("node app.mjs");
        assertEquals("hello world\n", app.follow(scene, place, Map.of()));

        Path alone = place("alone");
        copy(peers("javascript/lrwp.mjs"), alone.resolve("lrwp.mjs"));
        Recipe program = page.program("js", "import { Peer }").with("'lrwp'", "'./lrwp.mjs'");
        Recipe start = page.commands("node hello.mjs");
        Recipe byHand = program.with(HELLO, "/hand");
        Files.writeString(alone.resolve("hello.mjs"), plain(byHand));
        assertEquals(
                "hello /world\n", start.with(HELLO + "/", "/hand/").follow(scene, alone, Map.of()));

        Recipe options =
                page.program("js", "identity: 'billing'")
                        .with("proxy.example:1082", insideTls())
                        .with(HELLO, BILLING);
        String old = "{ proxy: '127.0.0.1:1081', context: '/hello', concurrency: 64 }";
        Files.writeString(
                alone.resolve("hello.mjs"), options.text() + program.with(old, "options").text());
        assertEquals(
                "hello /world\n",
                start.with(HELLO + "/", BILLING + "/").follow(scene, alone, Map.of()));
        page.requireAllDone();
    }

    @Test
    void goLibrary() throws Exception {
        Tools.require("go");
        Page page = Page.of("peers/go/README.md");
        Recipe program = page.program("go", "package main");
        Recipe start = page.commands("go mod init");
        Path place = place("go");
        copy(peers("go"), place.resolve("lrwp"));
        Files.writeString(place.resolve("main.go"), plain(program));
        assertEquals("hello /hello/world\n", start.follow(scene, place, Map.of()));

        Path inside = place("inside");
        copy(peers("go"), inside.resolve("lrwp"));
        String identity =
                page.program("go", "options.Identity")
                        .with("/etc/lrwp/billing.key", inside.resolve("billing.key").toString())
                        .text();
        String serve = "\tif err := lrwp.Serve(";
        Files.writeString(
                inside.resolve("main.go"),
                program.with("127.0.0.1:1081", insideTls())
                        .with(HELLO, BILLING)
                        .with(serve, identity + page.program("go", "lrwp.Trust").text() + serve)
                        .text());
        assertEquals(
                "hello " + BILLING + "/world\n",
                start.with(HELLO + "/", BILLING + "/").follow(scene, inside, Map.of()));
        page.requireAllDone();
    }

    @Test
    void libraryOfC() throws Exception {
        Tools.require("cc");
        Tools.requireOpenSsl();
        Page page = Page.of("peers/c/README.md");
        Recipe program = page.program("c", "int main(void)");
        Recipe start = page.commands("cc -std=c99");
        Path place = place("c");
        copy(peers("c/lrwp.h"), place.resolve("lrwp.h"));
        copy(peers("c/lrwp.c"), place.resolve("lrwp.c"));
        Files.writeString(place.resolve("hello.c"), plain(program));
        assertEquals("/world", start.follow(scene, place, Map.of()));

        Path inside = place("inside");
        for (String file : List.of("lrwp.h", "lrwp.c", "lrwp_tls.c")) {
            copy(peers("c").resolve(file), inside.resolve(file));
        }
        String serve = "    return lrwp_serve(";
        String identity = page.program("c", "options.identity").text();
        Files.writeString(
                inside.resolve("hello.c"),
                program.with("127.0.0.1:1081", insideTls())
                        .with(HELLO, BILLING)
                        .with(serve, identity + page.program("c", "options.tls").text() + serve)
                        .text());
        assertEquals(
                "/world",
                start.with("lrwp.c", "lrwp.c lrwp_tls.c -lssl -lcrypto")
                        .with(HELLO + "/", BILLING + "/")
                        .follow(scene, inside, Map.of()));
        page.requireAllDone();
    }

    @Test
    void peersInJava() throws Exception {
        Page page = Page.of("peers/java/README.md");
        Recipe hello = page.program("java", "class Hello");
        Recipe start = inJava(page.commands("java -cp"));
        Path place = place("java");
        Files.writeString(place.resolve("Hello.java"), plain(hello));
        assertEquals("hello /world\n", start.follow(scene, place, onJava17()));

        String dials = "LrwpPeer.builder()\n                        .proxy(\"127.0.0.1:1081\")";
        List<String> lines =
                page.program("java", "PeerTls")
                        .with("proxy.example:1082", insideTls())
                        .text()
                        .lines()
                        .toList();
        List<String> code = lines.stream().filter(line -> line.contains("(")).toList();
        Files.writeString(
                place.resolve("Hello.java"),
                String.join("\n", lines.subList(0, lines.size() - code.size()))
                        + "\n"
                        + hello.with("LrwpPeer peer =", code.get(0) + "\nLrwpPeer peer =")
                                .with(dials, code.get(1))
                                .with(HELLO, BILLING)
                                .text());
        assertEquals(
                "hello /world\n",
                start.with(HELLO + "/", BILLING + "/").follow(scene, place, onJava17()));

        Recipe site = page.program("java", "class Site");
        Files.writeString(place.resolve("Site.java"), plain(site));
        Recipe asked = start.with("Hello.java", "Site.java").with("/hello/", "/site/");
        assertEquals(
                "GET /site/world?c=d\n",
                asked.with("/world", "/world?c=d").follow(scene, place, onJava17()));
        assertEquals(
                "POST /site/world\n7 bytes\n",
                asked.with("curl ", "curl --data content ").follow(scene, place, onJava17()));
        page.requireAllDone();
    }

    /** With the classes of the build, from any folder. */
    private static Recipe inJava(Recipe commands) {
        return commands.with("lrwp-peer-sdk/", Project.root() + "/lrwp-peer-sdk/")
                .with("lrwp-protocol/", Project.root() + "/lrwp-protocol/");
    }

    private static Map<String, String> onJava17() throws IOException {
        String home = OlderJava.home().toString();
        return Map.of("JAVA_HOME", home, "PATH", home + "/bin:" + System.getenv("PATH"));
    }

    /** The programs of the project's README. */
    @Test
    void firstPage() throws Exception {
        Page page = Page.of("README.md");
        Path place = place("first");
        Recipe echo = page.program("java", "class EchoPeer");
        Recipe start = inJava(page.commands("$JAVA_HOME/bin/java -cp"));
        Files.writeString(place.resolve("EchoPeer.java"), plain(echo));
        assertEquals("hello", start.follow(scene, place, onJava17()));

        String handler =
                ".handler(request -> PeerResponse.of(\"text/plain\","
                        + " request.body().readAllBytes()))";
        String streamed =
                page.program("java", "text/event-stream").with("SECONDS", "MILLISECONDS").text();
        String more =
                """
                import static java.nio.charset.StandardCharsets.UTF_8;
                import java.util.concurrent.TimeUnit;
                """;
        Files.writeString(
                place.resolve("EchoPeer.java"),
                more + plain(echo.with(handler, streamed).with("/echo", "/streamed")));
        String events = start.with("/echo", "/streamed").follow(scene, place, onJava17());
        assertTrue(events.endsWith("data: 8\n\ndata: 9\n\n"), events);

        copy(peers("python/lrwp.py"), place.resolve("lrwp.py"));
        for (String[] one :
                new String[][] {{"import lrwp", "hello /x"}, {"import socket", "GET /x\n"}}) {
            String context = "/" + one[0].replace(" ", "-");
            Recipe program = page.program("python", one[0]);
            Files.writeString(
                    place.resolve(one[0] + ".py"),
                    program.text()
                            .replace("/hello", context)
                            .replace("b\"hello", "b\"" + context.substring(1))
                            .replace("1081", "" + scene.proxy().lrwpPort()));
            String commands =
                    "python3 '%s.py'\ncurl http://127.0.0.1:1080%s/x".formatted(one[0], context);
            assertEquals(one[1], Recipe.of(commands).follow(scene, place, Map.of()));
        }
    }

    @Test
    void lrwpConnect() throws Exception {
        Tools.require("go", "node", "perl", "python3");
        Page page = Page.of("docs/connect.md");
        firstCommand(page);
        fileOfRoutes(page);
        page.requireAllDone();
    }

    private void firstCommand(Page page) throws Exception {
        Recipe commands = page.commands("./lrwp connect http");
        assertTrue(
                commands.with("127.0.0.1:3000", serverInPython())
                        .follow(scene, Project.root(), Map.of())
                        .endsWith(" /app/ 127.0.0.1"));

        List<String> help = List.of(Project.root() + "/lrwp", "connect", "help");
        String told = Tools.run(Project.target(), LONGEST, "", help);
        for (String line : page.commands("lrwp-connect http ").text().lines().toList()) {
            String use = line.split(" {3,}", 2)[0];
            assertTrue(told.contains(use), use);
        }
    }

    /** Python's HTTP server, as an address. */
    private String serverInPython() throws Exception {
        int port = FreePorts.one();
        String program = Project.peers().resolve("http_server.py").toString();
        scene.closing(ProcessPeer.start(List.of("python3", program, "" + port)));
        return "127.0.0.1:" + port;
    }

    private void fileOfRoutes(Page page) throws Exception {
        Path place = place("connect");
        // PHP's workers are nobody, and have to pass it.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
        Files.writeString(place.resolve("index.php"), "PHP at <?php echo $_SERVER['SCRIPT_NAME'];");
        String program = Project.peers().resolve("counting/counting.mjs").toString();
        Recipe routes =
                page.commands("route.shop.kind")
                        .with("proxy-a.example:1081", "127.0.0.1:" + scene.proxy().lrwpPort())
                        .with("proxy-b.example:1081", "127.0.0.1:" + FreePorts.one())
                        .with("/etc/lrwp/web.key", place.resolve("web.key").toString())
                        .with("127.0.0.1:3000", serverInPython())
                        .with("/usr/lib/cgi-bin", Project.peers().resolve("cgi").toString())
                        .with("unix:/run/php/php8.2-fpm.sock", PhpFpm.start(scene, place))
                        .with("/var/www/blog", place.toString())
                        .with("npm start", "node " + program);
        Path file = Files.writeString(place.resolve("routes"), routes.text());
        String connect = "COUNTED=/dev/null exec ./lrwp connect --config '" + file + "'";
        String start = "cd '" + Project.root() + "' && " + connect;
        scene.closing(ProcessPeer.start(List.of("sh", "-c", start)));
        for (String context : List.of("/shop", "/cgi-bin", "/blog", "/node")) {
            scene.awaitServed(context);
        }

        assertTrue(scene.client().get("/shop/x").text().endsWith(" /x 127.0.0.1"));
        assertTrue(scene.client().get("/cgi-bin/date.sh").text().startsWith("it is 20"));
        assertEquals("PHP at /blog/index.php", scene.client().get("/blog/any").text());
        assertEquals(200, scene.client().get("/node/x").status());
    }
}
