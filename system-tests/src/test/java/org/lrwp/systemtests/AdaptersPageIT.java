package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.systemtests.harness.FreePorts;
import org.lrwp.systemtests.harness.NodeExamples;
import org.lrwp.systemtests.harness.OlderJava;
import org.lrwp.systemtests.harness.Page;
import org.lrwp.systemtests.harness.PhpFpm;
import org.lrwp.systemtests.harness.ProcessPeer;
import org.lrwp.systemtests.harness.Project;
import org.lrwp.systemtests.harness.PythonProgram;
import org.lrwp.systemtests.harness.Recipe;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.Tools;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** From nothing to a request, by the commands of docs/adapters.md. */
@SystemTest
@ServerConfig
class AdaptersPageIT {
    @TempDir Path folder;
    private Page page;

    @BeforeEach
    void read() throws Exception {
        page = Page.of("docs/adapters.md");
    }

    @Test
    void projectOfDjango(Scene scene) throws Exception {
        PythonProgram.prepare();
        String answer =
                page.commands("lrwp run mysite.wsgi")
                        .with("/shop", scene.path(""))
                        .follow(scene, folder, PythonProgram.commands(folder.resolve("bin")));

        assertTrue(answer.contains("The install worked successfully"), answer);
    }

    @Test
    void applicationOfExpress(Scene scene) throws Exception {
        Path installed = NodeExamples.install("frameworks");
        String program =
                page.program("js", "from 'express'")
                        .with("/app", scene.path(""))
                        .dialling(scene.proxy())
                        .text();
        Files.writeString(installed.resolve("page.mjs"), program);
        String answer =
                page.commands("node app.mjs")
                        .with("app.mjs", "page.mjs")
                        .with("/app", scene.path(""))
                        .follow(scene, installed, Map.of());

        assertEquals("<h1>Express at " + scene.path("") + "</h1>\n", answer);
    }

    @Test
    void applicationOfKoaAtTwoProxies(Scene scene) throws Exception {
        Path installed = NodeExamples.install("frameworks");
        String program =
                page.program("js", "from 'koa'")
                        .with("10.0.0.5:1081", "127.0.0.1:" + scene.proxy().lrwpPort())
                        .with("10.0.0.6:1081", "127.0.0.1:" + FreePorts.one())
                        .with("/app", scene.path(""))
                        .text();
        Files.writeString(installed.resolve("koa-page.mjs"), program);
        String commands = "node koa-page.mjs\ncurl http://127.0.0.1:1080" + scene.path("/x");

        assertEquals("hello /x\n", Recipe.of(commands).follow(scene, installed, Map.of()));
    }

    @Test
    void serverThatIsStartedWithIt(Scene scene) throws Exception {
        Tools.require("go", "node");
        String program = Project.peers().resolve("counting/counting.mjs").toString();
        String first = page.commands("./lrwp connect run").text().lines().findFirst().orElseThrow();
        String answer =
                Recipe.of(first + "\ncurl --data one http://127.0.0.1:1080/app/")
                        .with("npm start", "node '" + program + "'")
                        .with("/app", scene.path(""))
                        .follow(scene, Project.root(), Map.of("COUNTED", "/dev/null"));

        assertEquals("one", answer);
    }

    /** Whose jar the build has made. */
    @Test
    void applicationOfSpringBoot(Scene scene) throws Exception {
        String address = "127.0.0.1:" + scene.proxy().lrwpPort();
        String answer =
                page.commands("$JAVA_HOME/bin/java -jar")
                        .with("mvn ", ": mvn ")
                        .with("/shop/articles/tea", scene.path("/articles/tea"))
                        .follow(
                                scene,
                                Project.root(),
                                Map.of(
                                        "JAVA_HOME",
                                        OlderJava.home().toString(),
                                        "LRWP_PROXY",
                                        address,
                                        "SERVER_SERVLET_CONTEXT_PATH",
                                        scene.path("")));

        assertEquals("tea for 127.0.0.1\n", answer);
    }

    @Test
    void serverOfGoOnLocalhost(Scene scene) throws Exception {
        String source = Project.peers().resolve("server.go").toString();
        Path program = folder.resolve("server");
        String build = "go build -o '" + program + "' " + source + " && exec '" + program + "' ";

        assertEquals(
                "Go at " + scene.path("/") + " for 127.0.0.1\n", onLocalhost(scene, build + "%d"));
    }

    /** Rails says where it is, so its links are right. */
    @Test
    void applicationOfRails(Scene scene) throws Exception {
        Tools.require("puma");
        Tools.requireRails();
        String source = Project.peers().resolve("rails.ru").toString();
        String at = "RAILS_ENV=production AT=" + scene.path("");

        String site = "http://127.0.0.1:" + scene.proxy().httpPort();
        String links = scene.path("/articles/tea ") + site + scene.path("/articles");
        assertEquals(
                links + " for 127.0.0.1\n",
                onLocalhost(scene, at + " exec puma -b tcp://127.0.0.1:%d " + source));
    }

    /** What a server answers that a command of the shell starts on a port. */
    private String onLocalhost(Scene scene, String command) throws Exception {
        Tools.require("go");
        int port = FreePorts.one();
        scene.closing(ProcessPeer.start(List.of("sh", "-c", command.formatted(port))));
        return page.commands("./lrwp connect http")
                .with("127.0.0.1:3000", "127.0.0.1:" + port)
                .with("/app", scene.path(""))
                .follow(scene, Project.root(), Map.of());
    }

    @Test
    void pageOfPhp(Scene scene) throws Exception {
        Tools.require("go");
        Files.writeString(
                folder.resolve("index.php"), "PHP at <?php echo $_SERVER['SCRIPT_NAME'];");
        String answer =
                page.commands("./lrwp connect fastcgi")
                        .with("unix:/run/php/php8.2-fpm.sock", PhpFpm.start(scene, folder))
                        .with("/var/www/blog", folder.toString())
                        .with("--connections 5", "--connections 2")
                        .with("/blog", scene.path(""))
                        .follow(scene, Project.root(), Map.of());

        assertEquals("PHP at " + scene.path("/index.php"), answer);
    }

    @Test
    void programOf1998(Scene scene) throws Exception {
        Tools.require("go", "perl");
        String answer =
                page.commands("./lrwp connect cgi")
                        .with("/usr/lib/cgi-bin", Project.peers().resolve("cgi").toString())
                        .with(" /cgi-bin", " " + scene.path(""))
                        .with("/cgi-bin/guest.pl", scene.path("/guest.pl"))
                        .follow(scene, Project.root(), Map.of());

        assertTrue(answer.contains("from 127.0.0.1"), answer);
    }
}
