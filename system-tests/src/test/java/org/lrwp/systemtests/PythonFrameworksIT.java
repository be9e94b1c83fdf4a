package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.systemtests.harness.ExamplePeer;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.PythonProgram;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.Tools;
import org.lrwp.systemtests.harness.WebSocket;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Django, Flask, FastAPI and Starlette, served by {@code lrwp run}. */
@SystemTest
@ServerConfig
class PythonFrameworksIT {
    private static final Duration PATIENCE = Duration.ofSeconds(100);

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "flask_app",
                "django_app",
                "django_app:asgi",
                "fastapi_app",
                "starlette_app"
            })
    void frameworkAnswersBelowItsContext(String program, Scene scene) throws Exception {
        PythonProgram.prepare();
        ExamplePeer peer = PythonProgram.start(scene, program, scene.app());
        RawHttp client = scene.client();

        String link = "<a href=\"" + scene.path("/hello/you") + "\">hello</a>\n";
        assertEquals(link, text(client.get(scene.path("/"))));
        assertEquals("hello w\u00f6rld\n", text(client.get(scene.path("/hello/w%C3%B6rld"))));
        client.post(scene.path("/upload"), new byte[1_000_000], "Content-Type: a/b");
        assertEquals("1000000\n", text(client.answer()));
        assertEquals("0\n1\n2\n3\n4\n", text(client.get(scene.path("/count"))));
        assertEquals(200_000, text(client.get(scene.path("/file"))).length());
        assertEquals(404, client.get(scene.path("/nothing")).status());
        assertEquals(500, client.get(scene.path("/fail")).status());
        scene.requireNext(client);

        peer.terminate();
        peer.awaitLine("drain by=peer").awaitEnd();
    }

    private static String text(HttpAnswer answer) {
        assertEquals(200, answer.status(), answer.toString());
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fastapi_app", "starlette_app"})
    void frameworkHasWebSockets(String program, Scene scene) throws Exception {
        PythonProgram.prepare();
        PythonProgram.start(scene, program, scene.app());
        WebSocket socket = WebSocket.open(scene.client(), scene.path("/echo"));

        for (String text : List.of("hello", "", "\u03ba\u1f79\u03c3\u03bc\u03b5")) {
            socket.text(text);
            assertEquals(text, socket.text());
        }
    }

    @Test
    void projectOfDjangoIsServedAsItWasMade(Scene scene) throws Exception {
        PythonProgram.prepare();
        PythonProgram.startProject("mysite", folder);
        PythonProgram.startIn(folder, scene, "mysite.asgi", scene.app());
        RawHttp client = scene.client();

        String first = text(client.get(scene.path("/")));
        assertTrue(first.contains("The install worked successfully"), first);
        String login = text(client.get(scene.path("/admin/login/")));
        assertTrue(login.contains("csrfmiddlewaretoken"), login);
        assertTrue(login.contains("\"/" + scene.app() + "/admin/login/\""), login);
    }

    /** What concerns Python alone: against a proxy that these tests play. */
    @Test
    void theLibrarysOwnTestsPass() throws Exception {
        Tools.require("python3");
        List<String> command =
                List.of(
                        "sh",
                        "-c",
                        "cd \"$0\" && exec python3 -B -m unittest discover -s tests",
                        PythonProgram.library().toString());
        String report = Tools.run(folder, PATIENCE, "", command);
        assertTrue(report.contains("\nOK\n"), report);
    }
}
