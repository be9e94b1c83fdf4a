package org.lrwp.systemtests.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Debian's OSP client with its certificates, in a folder of its own. */
public final class OspClient {
    private static final String CLIENT = "/usr/lib/osp/test_app";

    private static final Path SETTINGS = Path.of("/etc/osp/test.cfg");
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final Path folder;
    private final Map<String, String> settings = new HashMap<>();

    private OspClient(Path folder) {
        this.folder = folder;
    }

    /** Skips the test when it is not installed; else makes its certificates. */
    public static OspClient in(Path folder) throws Exception {
        Tools.require(CLIENT, "openssl");
        if (!Files.isReadable(SETTINGS)) {
            Tools.missing("skipped: " + SETTINGS + " is missing");
        }
        OspClient client = new OspClient(folder);
        client.makeCertificates();
        client.settings.putAll(
                Map.of(
                        "SRC", "[127.0.0.10]",
                        "SRCDEV", "[127.0.0.11]:5060",
                        "DST", "[127.0.0.20]",
                        "CALLED", "3678",
                        "TOKENALGO", "0"));
        return client;
    }

    /** Starts an OSP peer with the client's authority and waits until it serves /osp. */
    public void startPeer(Scene scene, String... configuration) throws Exception {
        scene.closing(
                OspProcess.start(
                        scene,
                        folder,
                        "/osp",
                        List.of(configuration),
                        "--key",
                        folder.resolve("cakey.pem").toString(),
                        "--certificate",
                        folder.resolve("cacert_0.pem").toString()));
        String address = "http://127.0.0.1:" + scene.proxy().httpPort() + "/osp";
        settings.put("SP", address);
        settings.put("CapURL", address);
    }

    /** Changes a setting of its configuration. */
    public OspClient with(String key, String value) {
        settings.put(key, value);
        return this;
    }

    /** Runs the menu's entries; what was printed. */
    public Run run(String... entries) throws Exception {
        StringBuilder text = new StringBuilder();
        for (String line : Files.readAllLines(SETTINGS)) {
            String key = line.replaceFirst("=.*", "");
            text.append(settings.containsKey(key) ? key + "=" + settings.get(key) : line);
            text.append('\n');
        }
        Files.writeString(folder.resolve("test.cfg"), text);
        String input = String.join("\n\n", entries) + "\n\nq\n";
        return new Run(Tools.run(folder, LONGEST, input, List.of(CLIENT)));
    }

    /**
     * What the client printed.
     *
     * @param printed all of it
     */
    public record Run(String printed) {
        private static final Pattern CODE = Pattern.compile("return code = (-?[0-9]+)");

        /** The return codes in their order. */
        public List<Integer> codes() {
            List<Integer> codes = new ArrayList<>();
            Matcher matcher = CODE.matcher(printed);
            while (matcher.find()) {
                codes.add(Integer.parseInt(matcher.group(1)));
            }
            return codes;
        }
    }

    private void makeCertificates() throws IOException, InterruptedException {
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

    private void openssl(String line) throws IOException, InterruptedException {
        Tools.run(folder, LONGEST, "", List.of(("openssl " + line).split(" ", -1)));
    }
}
