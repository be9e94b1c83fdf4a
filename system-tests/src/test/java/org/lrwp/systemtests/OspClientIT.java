package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.systemtests.harness.ProcessPeer;
import org.lrwp.systemtests.harness.Project;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.Tools;
import org.lrwp.systemtests.harness.Wait;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Debian's OSP client makes full calls, with signed tokens, through the proxy. */
@SystemTest
@ServerConfig
class OspClientIT {
    private static final String CLIENT = "/usr/lib/osp/test_app";
    private static final Path SETTINGS = Path.of("/etc/osp/test.cfg");
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final List<String> CALL =
            List.of("1", "23", "29", "27", "28", "31", "32", "24", "2");

    @TempDir Path folder;

    @Test
    void realClientMakesFullCalls(Scene scene) throws Exception {
        Tools.require(CLIENT, "openssl");
        if (!Files.isReadable(SETTINGS)) {
            Tools.missing("skipped: " + SETTINGS + " is missing");
        }
        makeCertificates();
        Path jar = Project.root().resolve("osp-sample-peer/target/osp-sample-peer.jar");
        List<String> command =
                List.of(
                        Project.java(),
                        "-jar",
                        jar.toString(),
                        "--proxy",
                        "127.0.0.1:" + scene.proxy().lrwpPort(),
                        "--context",
                        "/osp",
                        "--key",
                        folder.resolve("cakey.pem").toString(),
                        "--certificate",
                        folder.resolve("cacert_0.pem").toString());
        scene.closing(ProcessPeer.start(command));
        Wait.require(
                "the OSP peer serves /osp",
                LONGEST,
                () -> scene.proxy().status().number("/osp", "connections") > 0);
        writeSettings("http://127.0.0.1:" + scene.proxy().httpPort() + "/osp");

        String input = String.join("\n\n", CALL) + "\n\nq\n";
        String printed = Tools.run(folder, LONGEST, input, List.of(CLIENT));

        Matcher codes = Pattern.compile("return code = (-?[0-9]+)").matcher(printed);
        int count = 0;
        while (codes.find()) {
            assertEquals("0", codes.group(1), printed);
            count++;
        }
        assertTrue(count >= CALL.size() - 1, count + " return codes in:\n" + printed);
        assertTrue(printed.contains("authorised = 1"), printed);
        assertFalse(printed.contains("num dest = 0"), printed);
    }

    private void writeSettings(String address) throws IOException {
        StringBuilder settings = new StringBuilder();
        for (String line : Files.readAllLines(SETTINGS)) {
            String changed =
                    switch (line.replaceFirst("=.*", "=")) {
                        case "SP=" -> "SP=" + address;
                        case "CapURL=" -> "CapURL=" + address;
                        case "SRC=" -> "SRC=[127.0.0.10]";
                        case "SRCDEV=" -> "SRCDEV=[127.0.0.11]:5060";
                        case "DST=" -> "DST=[127.0.0.20]";
                        case "CALLED=" -> "CALLED=3678";
                        case "TOKENALGO=" -> "TOKENALGO=0";
                        default -> line;
                    };
            settings.append(changed).append('\n');
        }
        Files.writeString(folder.resolve("test.cfg"), settings);
    }

    private void makeCertificates() throws Exception {
        String head = "[req]\ndistinguished_name=dn\nstring_mask=pkix\nprompt=no\n[dn]\n";
        Files.writeString(folder.resolve("ca.cnf"), head + "CN=osp.example\nO=OSPServer\n");
        Files.writeString(folder.resolve("dev.cnf"), head + "CN=1000\nO=Device\n");
        openssl("genrsa -traditional -out cakey.pem 2048");
        openssl("req -new -key cakey.pem -config ca.cnf -sha256 -out ca.csr");
        openssl("x509 -req -in ca.csr -signkey cakey.pem -sha256 -days 30 -out cacert_0.pem");
        openssl("genrsa -traditional -out pkey.pem 2048");
        openssl("req -new -key pkey.pem -config dev.cnf -sha256 -out dev.csr");
        openssl(
                "x509 -req -in dev.csr -CA cacert_0.pem -CAkey cakey.pem -CAcreateserial"
                        + " -sha256 -days 30 -out localcert.pem");
    }

    private void openssl(String line) throws Exception {
        Tools.run(folder, LONGEST, "", List.of(("openssl " + line).split(" ", -1)));
    }
}
