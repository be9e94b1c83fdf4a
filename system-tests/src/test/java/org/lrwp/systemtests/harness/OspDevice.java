package org.lrwp.systemtests.harness;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A gateway with a key that openssl has made, and a certificate it has enrolled for. */
public final class OspDevice {
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final Pattern CERTIFICATE = Pattern.compile("status=0&.*cert=([^&\\s]+)");
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final Path folder;
    private final URI address;

    private OspDevice(Path folder, URI address) {
        this.folder = folder;
        this.address = address;
    }

    /** A line of the file of accounts for a device of customer 1000. */
    public static String account(String id) {
        return "1000 " + id + " user password\n";
    }

    /** Enrols a device of customer 1000 at the scene's context, below which enrolments are. */
    public static OspDevice enrolled(Scene scene, Path folder, String id) throws Exception {
        Tools.require("openssl");
        Path own = Files.createDirectories(folder.resolve("device-" + id));
        OspDevice device =
                new OspDevice(
                        own,
                        URI.create(
                                "http://127.0.0.1:" + scene.proxy().httpPort() + scene.path("")));
        device.enrol(id);
        return device;
    }

    private void enrol(String id) throws Exception {
        Files.writeString(
                folder.resolve("dev.cnf"),
                "[req]\ndistinguished_name=dn\nstring_mask=pkix\nprompt=no\n[dn]\nCN="
                        + id
                        + "\nO=1000\n");
        openssl(
                "req -new -newkey rsa:2048 -nodes -sha256 -config dev.cnf -out req.pem -keyout"
                        + " key.pem");
        String form =
                "operation=request&nonce=1&username=user&password=password&customer=1000&device="
                        + id
                        + "&request="
                        + URLEncoder.encode(
                                Files.readString(folder.resolve("req.pem"))
                                        .replaceAll("-----[A-Z ]+-----|\\s", ""),
                                StandardCharsets.US_ASCII);
        String answer = post("/tep", "text/plain", form.getBytes(StandardCharsets.US_ASCII)).body();
        Matcher certificate = CERTIFICATE.matcher(answer);
        if (!certificate.find()) {
            throw new AssertionError("no certificate: " + answer);
        }
        Files.writeString(
                folder.resolve("cert.pem"),
                "-----BEGIN CERTIFICATE-----\n"
                        + certificate.group(1).replaceAll("(.{64})", "$1\n")
                        + "\n-----END CERTIFICATE-----\n");
    }

    /** The serial number of its certificate, as openssl prints it. */
    public String serial() throws Exception {
        return openssl("x509 -in cert.pem -noout -serial").strip();
    }

    /** What it makes of terms: a token, in base64, with its own signature and certificate. */
    public String ownToken(String terms) throws Exception {
        Files.writeString(folder.resolve("terms"), terms);
        openssl(
                "cms -sign -binary -nodetach -md sha256 -in terms -signer cert.pem -inkey key.pem"
                        + " -outform DER -out token");
        return Base64.getEncoder().encodeToString(Files.readAllBytes(folder.resolve("token")));
    }

    /** A message in the signed form, for sending it as often as wanted. */
    public byte[] signed(String message) throws Exception {
        String part = "Content-Type: text/plain\r\n\r\n" + message;
        Files.writeString(folder.resolve("part"), part);
        openssl(
                "cms -sign -binary -md sha256 -in part -signer cert.pem -inkey key.pem"
                        + " -outform DER -out signature");
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes(bytes("--b\r\n" + part + "\r\n--b\r\n"));
        body.writeBytes(bytes("Content-Type: application/pkcs7-signature\r\n"));
        body.writeBytes(bytes("Content-Transfer-Encoding: base64\r\n\r\n"));
        body.writeBytes(
                Base64.getMimeEncoder().encode(Files.readAllBytes(folder.resolve("signature"))));
        body.writeBytes(bytes("\r\n--b--\r\n"));
        return body.toByteArray();
    }

    /** Sends a message in the signed form. */
    public HttpResponse<String> sendSigned(byte[] body) throws Exception {
        return post("", "multipart/signed; boundary=b", body);
    }

    /** Sends a message that nobody has signed. */
    public HttpResponse<String> send(String message) throws Exception {
        return post("", "text/plain", bytes(message));
    }

    private HttpResponse<String> post(String path, String type, byte[] body)
            throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(address + path))
                        .timeout(LONGEST)
                        .header("Content-Type", type)
                        .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                        .build();
        return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private String openssl(String line) throws IOException, InterruptedException {
        return Tools.run(folder, LONGEST, "", List.of(("openssl " + line).split(" ", -1)));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
