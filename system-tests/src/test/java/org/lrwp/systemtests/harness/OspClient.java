package org.lrwp.systemtests.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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
    private static final String ENROL = "/usr/lib/osp/enroll";
    private static final String ENROLMENT = "/tep";
    private static final String HEAD =
            "[req]\ndistinguished_name=dn\nstring_mask=pkix\nprompt=no\n[dn]\n";
    private static final Pattern CERTIFICATE =
            Pattern.compile(
                    "-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", Pattern.DOTALL);

    private static final Path SETTINGS = Path.of("/etc/osp/test.cfg");
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final Path folder;
    private final Map<String, String> settings = new HashMap<>();

    private final List<String> options;

    private OspClient(Path folder, List<String> options) {
        this.folder = folder;
        this.options = options;
        settings.putAll(
                Map.of(
                        "SRC", "[127.0.0.10]",
                        "SRCDEV", "[127.0.0.11]:5060",
                        "DST", "[127.0.0.20]",
                        "CALLED", "3678",
                        "TOKENALGO", "0"));
    }

    /** Skips the test when it is not installed; else makes its certificates. */
    public static OspClient in(Path folder) throws Exception {
        require();
        OspClient client =
                new OspClient(
                        folder,
                        List.of(
                                "--token-key",
                                folder.resolve("cakey.pem").toString(),
                                "--token-certificate",
                                folder.resolve("cacert_0.pem").toString()));
        client.makeAuthority();
        client.makeRequest();
        client.openssl(
                "x509 -req -in dev.csr -CA cacert_0.pem -CAkey cakey.pem -CAcreateserial"
                        + " -sha256 -days 30 -out localcert.pem");
        return client;
    }

    /** The same without certificates: it has to enrol first. */
    public static OspClient withoutCertificates(Path folder) throws Exception {
        require();
        OspClient client = new OspClient(folder, List.of("--context", ENROLMENT));
        client.makeRequest();
        return client;
    }

    private static void require() {
        Tools.require(CLIENT, ENROL, "openssl");
        if (!Files.isReadable(SETTINGS)) {
            Tools.missing("skipped: " + SETTINGS + " is missing");
        }
    }

    /** Starts an OSP peer, with the client's authority or for enrolments; waits for its /osp. */
    public void startPeer(Scene scene, String... configuration) throws Exception {
        scene.closing(
                OspProcess.start(
                        scene,
                        folder,
                        "/osp",
                        List.of(configuration),
                        options.toArray(String[]::new)));
        if (options.contains(ENROLMENT)) {
            Wait.require(
                    "the OSP peer serves " + ENROLMENT,
                    LONGEST,
                    () -> scene.proxy().status().number(ENROLMENT, "connections") > 0);
        }
        String address = "http://127.0.0.1:" + scene.proxy().httpPort() + "/osp";
        settings.put("SP", address);
        settings.put("CapURL", address);
    }

    /**
     * Gets certificates from the peer with the package's enroll; its exit code must be 0. For
     * tokens the client trusts the tokens' certificate, which the operator has given it.
     */
    public void enrol(Scene scene, String password) throws Exception {
        String address = "http://127.0.0.1:" + scene.proxy().httpPort() + ENROLMENT;
        enrol("enrolment-ca.pem", "getcacert", "-caurl", address);
        enrol(
                "localcert.pem",
                "request",
                "-username",
                "trans",
                "-password",
                password,
                "-customer",
                "1000",
                "-device",
                "1000",
                "-cacert",
                "enrolment-ca.pem",
                "-certreq",
                "dev.csr",
                // It asks a plain address as well.
                "-sslurl",
                address);
        Files.copy(
                folder.resolve("data/keys/tokencert.pem"),
                folder.resolve("cacert_0.pem"),
                StandardCopyOption.REPLACE_EXISTING);
    }

    private void enrol(String file, String function, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of(ENROL, "-function", function));
        command.addAll(List.of(options));
        String printed = Tools.run(folder, LONGEST, "", command);
        Matcher certificate = CERTIFICATE.matcher(printed);
        if (!certificate.find()) {
            throw new AssertionError("no certificate in " + printed);
        }
        Files.writeString(folder.resolve(file), certificate.group() + "\n");
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

    private void makeAuthority() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("ca.cnf"), HEAD + "CN=osp.example\nO=OSPServer\n");
        openssl("genrsa -traditional -out cakey.pem 2048");
        openssl("req -new -key cakey.pem -config ca.cnf -sha256 -out ca.csr");
        openssl("x509 -req -in ca.csr -signkey cakey.pem -sha256 -days 30 -out cacert_0.pem");
    }

    private void makeRequest() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("dev.cnf"), HEAD + "CN=1000\nO=Device\n");
        openssl("genrsa -traditional -out pkey.pem 2048");
        openssl("req -new -key pkey.pem -config dev.cnf -sha256 -out dev.csr");
    }

    private void openssl(String line) throws IOException, InterruptedException {
        Tools.run(folder, LONGEST, "", List.of(("openssl " + line).split(" ", -1)));
    }
}
