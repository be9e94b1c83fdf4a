package org.lrwp.server.ctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

class CtlTest {
    @TempDir Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private volatile int status = 200;
    private volatile String answer = "{}";
    private HttpServer server;

    @BeforeEach
    void play() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
        server.createContext(
                "/",
                exchange -> {
                    String body =
                            new String(
                                    exchange.getRequestBody().readAllBytes(),
                                    StandardCharsets.UTF_8);
                    asked.add(
                            "%s %s %s %s"
                                    .formatted(
                                            exchange.getRequestMethod(),
                                            exchange.getRequestURI(),
                                            exchange.getRequestHeaders().getFirst("Authorization"),
                                            body)
                                    .strip());
                    byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(status, bytes.length);
                    exchange.getResponseBody().write(bytes);
                    exchange.close();
                });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private int run(String... arguments) {
        List<String> all = new ArrayList<>(List.of("--url", "http://127.0.0.1:" + port()));
        all.addAll(List.of(arguments));
        return Ctl.run(print(out), print(err), all.toArray(String[]::new));
    }

    private int port() {
        return server.getAddress().getPort();
    }

    private static PrintStream print(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    private static String told(ByteArrayOutputStream by) {
        return by.toString(StandardCharsets.UTF_8).strip();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|a command is missing: ./lrwp ctl --help lists them",
                "fly|there is no command fly: ./lrwp ctl --help lists them",
                "drain|drain needs one PEER: ./lrwp ctl --help",
                "set a|set needs KEY and VALUE: ./lrwp ctl --help",
                "--jsn status|there is no option --jsn: is --json meant?",
                "peers x|peers takes nothing behind it: ./lrwp ctl --help",
                "--url x status|--url x is not a URL as http://127.0.0.1:1080",
                "--token-file /no/such drain p|--token-file /no/such cannot be read",
                "--certificate a.pem peers|--certificate needs --certificate-key",
                "--certificate-key a.key peers|--certificate-key needs --certificate",
                "--certificate a.pem --certificate-key a.key peers"
                        + "|--certificate needs --url with https://",
                "--ca-file a.pem peers|--ca-file needs --url with https://",
                "--url https://127.0.0.1:1 --ca-file /no/such peers"
                        + "|TLS cannot be set up: /no/such",
            })
    void wrongUseIsOneSentenceAndExitCode2(String line, String sentence) {
        String[] words = line.isEmpty() ? new String[0] : line.split(" ", -1);

        int code = line.startsWith("--url") ? Ctl.run(print(out), print(err), words) : run(words);

        assertEquals(2, code);
        assertEquals("lrwp: " + sentence, told(err));
    }

    @Test
    void nobodyThereIsExitCode3() {
        int port = port();
        server.stop(0);

        assertEquals(
                3, Ctl.run(print(out), print(err), "--url", "http://127.0.0.1:" + port, "status"));
        assertEquals(
                "lrwp: no proxy answers at http://127.0.0.1:%d: connection refused".formatted(port),
                told(err));
    }

    @Test
    void listsAreTablesWithoutCommandsForTheTerminal() {
        answer =
                """
                {"peers":[{"id":"10.0.0.7:4","contexts":[{"context":"/a","virtualHost":"h"}],
                "identity":"\\u001b[2Jx","instance":"w-1","program":"shop","version":"3.0","state":"open","busy":1,"slots":8,
                "stuck":2,"weight":90,"served":5,"ageMillis":7}]}\
                """;

        assertEquals(0, run("peers"));

        List<String> lines = told(out).lines().toList();
        assertTrue(lines.getFirst().startsWith("ID          CONTEXTS  IDENTITY"), told(out));
        assertEquals(
                "10.0.0.7:4  h/a       ?[2Jx     w-1       shop     3.0      open   1     8      2 "
                        + "     90      5       7",
                lines.get(1));
    }

    @Test
    void aProgramShowsFiguresReportAndActions() {
        answer = "{\"name\":\"files\",\"none\":[],\"figures\":{\"answers\":7,\"bytes\":90}}";
        assertEquals(0, run("status"));
        assertEquals(
                List.of(
                        "name             files",
                        "none             -",
                        "figures.answers  7",
                        "figures.bytes    90"),
                told(out).lines().toList());
        out.reset();
        answer = "{\"lines\":[\"first\",\"\\u001b[2Jsecond\"]}";
        assertEquals(0, run("report"));
        assertEquals(List.of("first", "?[2Jsecond"), told(out).lines().toList());
        out.reset();
        answer = "{\"actions\":[{\"name\":\"clear\",\"meaning\":\"Empties it.\"}]}";
        assertEquals(0, run("actions"));
        assertEquals("clear  Empties it.", told(out).lines().toList().getLast());
    }

    @Test
    void valuesFitTheTerminalWithoutLosingAnything() {
        String path = "/etc/lrwp/" + "x".repeat(90);
        answer =
                """
                {"values":[
                 {"name":"drain-time","value":"10s","origin":"default","live":true},
                 {"name":"agent.peers-file","value":"%s","origin":"file lrwp.properties, line 7",
                  "live":false},
                 {"name":"error-page","value":"","origin":"default","live":true}]}
                """
                        .formatted(path);

        assertEquals(0, run("config"));

        assertEquals(
                List.of(
                        "drain-time = 10s",
                        "    default",
                        "agent.peers-file = " + path,
                        "    file lrwp.properties, line 7; read at the start",
                        "error-page =",
                        "    default"),
                told(out).lines().toList());
    }

    @Test
    void nodesOfAClusterAreATable() {
        answer =
                """
                {"enabled":true,"connected":false,"reason":"refused","nodes":[{"name":"b",
                "state":"silent","draining":true,"free":1,"slots":2,"waiting":0,"away":3,"ageMillis":900,
                "version":"1","contexts":[{"context":"/a","virtualHost":"h"}]}]}\
                """;

        assertEquals(0, run("cluster"));

        List<String> lines = told(out).lines().toList();
        assertEquals("alone  refused", lines.getFirst());
        assertEquals(
                "b     silent  true      1     2      0        3     900         1        h/a",
                lines.get(2));

        out.reset();
        answer = "{\"enabled\":false}";
        assertEquals(0, run("cluster"));
        assertEquals("This proxy is none of a cluster.", told(out));
    }

    @Test
    void programsGetTheAnswerAsItIs() {
        answer = "{\"a\":[1,  2]}";

        assertEquals(0, run("--json", "status"));

        assertEquals(answer, told(out));
        assertEquals(List.of("GET /-/api/v1/status null"), asked);
    }

    @Test
    void commandsAreSentWithTheToken() throws Exception {
        Path file = Files.writeString(folder.resolve("t"), "secret\n");
        answer = "{\"done\":\"It is done.\"}";

        run("--token-file", file.toString(), "drain", "unix:a b/1");
        run("--token-file", file.toString(), "set", "context./osp.grace", "7s");
        run("--token-file", file.toString(), "pause", "/osp", "--retry-after", "9");

        assertEquals(
                List.of(
                        "POST /-/api/v1/peers/unix:a%20b/1/drain Bearer secret",
                        "PUT /-/api/v1/configuration/context./osp.grace Bearer secret"
                                + " {\"value\":\"7s\"}",
                        "POST /-/api/v1/contexts/pause Bearer secret"
                                + " {\"context\":\"/osp\",\"virtualHost\":\"\",\"text\":\"\","
                                + "\"retryAfter\":9}"),
                asked);
        assertTrue(told(out).contains("It is done."), told(out));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "disconnect p|DELETE /-/api/v1/peers/p null",
                "weight p 3|PUT /-/api/v1/peers/p/weight null {\"value\":\"3\"}",
                "drain-node|POST /-/api/v1/cluster/drain null {\"node\":\"\"}",
                "resume-node b|POST /-/api/v1/cluster/resume null {\"node\":\"b\"}",
                "drain-peers w|POST /-/api/v1/cluster/peers/drain null {\"peer\":\"w\"}",
                "resume-peers w|POST /-/api/v1/cluster/peers/resume null {\"peer\":\"w\"}",
                "cancel r1|DELETE /-/api/v1/requests/r1 null",
                "repeat r1|POST /-/api/v1/inspector/r1/repeat null",
                "unset drain-time|DELETE /-/api/v1/configuration/drain-time null",
                "run reload|POST /-/api/v1/actions/reload null",
                "purge|POST /-/api/v1/caches/purge null {\"prefix\":\"\"}",
                "purge h/a|POST /-/api/v1/caches/purge null {\"prefix\":\"h/a\"}",
                "set a 1 b 2|PUT /-/api/v1/configuration null {\"a\":\"1\",\"b\":\"2\"}",
                "resume /osp|POST /-/api/v1/contexts/resume null"
                        + " {\"context\":\"/osp\",\"virtualHost\":\"\"}",
            })
    void eachCommandIsACallOfTheApi(String line, String call) {
        answer = "{\"done\":\"It is done.\"}";

        assertEquals(0, run(line.split(" ", -1)), told(err));
        assertEquals(List.of(call), asked);
    }

    @Test
    void anInspectedRequestIsShownAsItWasSent() {
        answer =
                """
                {"method":"POST","path":"/osp","protocol":"HTTP/1.1","status":200,"reason":"OK",
                 "fields":["Host: h"],"body":{"text":"abc","whole":true,"length":3},
                 "answerFields":[],"answerBody":{"text":"de","whole":false,"length":9}}
                """;

        assertEquals(0, run("inspect", "r1"));
        assertEquals(
                "POST /osp HTTP/1.1\nHost: h\n\nabc\n\n200 OK\n\nde\n(9 bytes in all)", told(out));

        status = 401;
        assertEquals(2, run("inspect"));
        assertEquals("lrwp: inspect needs --token-file or --certificate", told(err));
    }

    @Test
    void refusalIsToldAndExitCode1() {
        status = 404;
        answer = "{\"status\":404,\"detail\":\"There is no peer x.\"}";

        assertEquals(1, run("disconnect", "x"));
        assertEquals("lrwp: There is no peer x. (404)", told(err));
        assertFalse(told(out).contains("x"));
    }

    @ParameterizedTest
    @CsvSource({
        "report, report is for peer programs and modules: --url is to be their admin port (404)",
        "run x, run is for peer programs and modules: --url is to be their admin port (404)",
        "peers, 'peers is for a proxy, but a peer program or module answers at URL (404)'",
    })
    void aCommandForAnotherKindOfProgramIsCalledThat(String line, String told) {
        status = 404;
        answer = "{\"status\":404,\"detail\":\"There is no such/path in this API.\"}";

        assertEquals(1, run(line.split(" ", -1)));
        assertEquals("lrwp: " + told.replace("URL", "http://127.0.0.1:" + port()), told(err));
    }

    @Test
    void thePortForPeersIsCalledThat() {
        status = 400;
        answer = "This port is for LRWP peers, not for HTTP.\n";

        assertEquals(3, run("status"));
        assertTrue(
                told(err).endsWith(": that is the port for peers, not the HTTP port"), told(err));
    }
}
