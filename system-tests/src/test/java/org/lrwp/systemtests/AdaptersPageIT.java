package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.systemtests.harness.FreePorts;
import org.lrwp.systemtests.harness.NodeExamples;
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

    @Test
    void projectOfDjango(Scene scene) throws Exception {
        PythonProgram.prepare();
        String page =
                Recipe.of("lrwp run mysite.wsgi")
                        .with("/shop", scene.path(""))
                        .follow(scene, folder, PythonProgram.commands(folder.resolve("bin")));

        assertTrue(page.contains("The install worked successfully"), page);
    }

    @Test
    void applicationOfExpress(Scene scene) throws Exception {
        Path installed = NodeExamples.install("frameworks");
        String program =
                Recipe.program("js", "from 'express'").with("/app", scene.path("")).text(scene);
        Files.writeString(installed.resolve("page.mjs"), program);
        String page =
                Recipe.of("node app.mjs")
                        .with("app.mjs", "page.mjs")
                        .with("/app", scene.path(""))
                        .follow(scene, installed, Map.of());

        assertEquals("<h1>Express at " + scene.path("") + "</h1>\n", page);
    }

    @Test
    void serverOfGoOnLocalhost(Scene scene) throws Exception {
        String source = Project.peers().resolve("server.go").toString();
        Path program = folder.resolve("server");
        String build = "go build -o '" + program + "' " + source + " && exec '" + program + "' ";

        assertEquals(
                "Go at " + scene.path("/") + " for 127.0.0.1\n", onLocalhost(scene, build + "%d"));
    }

    @Test
    void applicationOfRack(Scene scene) throws Exception {
        Tools.require("puma");
        String source = Project.peers().resolve("config.ru").toString();

        assertEquals(
                "Rack at " + scene.path("/") + " for 127.0.0.1\n",
                onLocalhost(scene, "exec puma -b tcp://127.0.0.1:%d " + source));
    }

    /** What a server answers that a command of the shell starts on a port. */
    private static String onLocalhost(Scene scene, String command) throws Exception {
        Tools.require("go");
        int port = FreePorts.one();
        scene.closing(ProcessPeer.start(List.of("sh", "-c", command.formatted(port))));
        return Recipe.of("./lrwp connect http")
                .with("127.0.0.1:3000", "127.0.0.1:" + port)
                .with("/app", scene.path(""))
                .follow(scene, Project.root(), Map.of());
    }

    @Test
    void pageOfPhp(Scene scene) throws Exception {
        Tools.require("go");
        Files.writeString(
                folder.resolve("index.php"), "PHP at <?php echo $_SERVER['SCRIPT_NAME'];");
        String page =
                Recipe.of("./lrwp connect fastcgi")
                        .with("unix:/run/php/php8.2-fpm.sock", PhpFpm.start(scene, folder))
                        .with("/var/www/blog", folder.toString())
                        .with("--connections 5", "--connections 2")
                        .with("/blog", scene.path(""))
                        .follow(scene, Project.root(), Map.of());

        assertEquals("PHP at " + scene.path("/index.php"), page);
    }

    @Test
    void programOf1998(Scene scene) throws Exception {
        Tools.require("go", "perl");
        String page =
                Recipe.of("./lrwp connect cgi")
                        .with("/usr/lib/cgi-bin", Project.peers().resolve("cgi").toString())
                        .with(" /cgi-bin", " " + scene.path(""))
                        .with("/cgi-bin/guest.pl", scene.path("/guest.pl"))
                        .follow(scene, Project.root(), Map.of());

        assertTrue(page.contains("from 127.0.0.1"), page);
    }
}
