package org.lrwp.acme;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.PublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A certification authority without any doubt: it checks no signature and proves no name, and fails
 * where the test says.
 */
final class FakeDirectory implements AutoCloseable {
    /** Where it fails. */
    enum Fault {
        NONE,
        RATE_LIMITED,
        BUSY_WITHOUT_TIME,
        NO_SUCH_CHALLENGE,
        OTHER_NAME,
        NAME_NOT_PROVED,
        NAME_NOT_PROVED_WITHOUT_REASON,
        PROVED_BEFORE,
        ORDER_INVALID,
        OTHER_KEY,
        NO_JSON,
        STALLED_CONTENT,
        ENDLESS_CONTENT
    }

    private static final String TOKEN = "token-for-this-test-of-";
    private static final List<String> NAMES = List.of("a.test", "b.test");
    private static final Pattern PAYLOAD = Pattern.compile("\"payload\":\"([^\"]*)\"");
    private static final Pattern CSR = Pattern.compile("\"csr\":\"([^\"]*)\"");

    private final HttpServer server;
    private final AtomicInteger nonces = new AtomicInteger();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<String> triggered = new CopyOnWriteArrayList<>();
    private volatile Fault fault = Fault.NONE;
    private volatile Runnable onTrigger = () -> {};
    private volatile String chain = "";

    private final CountDownLatch closed = new CountDownLatch(1);

    FakeDirectory() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.start();
    }

    void fail(Fault how) {
        fault = how;
    }

    /** The token for a name. */
    static String token(String name) {
        return TOKEN + name.replace('.', '-');
    }

    /** Runs when the client says that it is ready. */
    void onTrigger(Runnable look) {
        onTrigger = look;
    }

    /** The payloads of all requests, after their paths. */
    List<String> requests() {
        return requests;
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            String payload =
                    payload(new String(exchange.getRequestBody().readAllBytes(), US_ASCII));
            requests.add(path + " " + payload);
            exchange.getResponseHeaders().set("Replay-Nonce", "n" + nonces.incrementAndGet());
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            String[] parts = path.split("/", -1);
            switch (fault) {
                case STALLED_CONTENT -> stall(exchange);
                case ENDLESS_CONTENT -> send(exchange, 200, " ".repeat(2 * 1024 * 1024));
                default -> answer(exchange, parts, payload);
            }
        }
    }

    /** The head and a little, and no more until the test ends. */
    private void stall(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, 1000);
        exchange.getResponseBody().write("{\"newNonce\":".getBytes(US_ASCII));
        exchange.getResponseBody().flush();
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void answer(HttpExchange exchange, String[] parts, String payload) throws IOException {
        switch (parts[1]) {
            case "directory" -> send(exchange, 200, directory());
            case "nonce" -> exchange.sendResponseHeaders(200, -1);
            case "account" -> {
                exchange.getResponseHeaders().set("Location", url() + "/account/1");
                send(exchange, 201, "{'status':'valid'}");
            }
            case "new-order" -> newOrder(exchange);
            case "authorization" -> send(exchange, 200, authorization(parts[2]));
            case "challenge" -> {
                onTrigger.run();
                triggered.add(parts[2]);
                send(exchange, 200, challenge(parts[2], "processing", ""));
            }
            case "order" -> send(exchange, 200, order());
            case "finalize" -> {
                chain = issue(payload);
                send(exchange, 200, order());
            }
            default -> {
                exchange.getResponseHeaders()
                        .set("Content-Type", "application/pem-certificate-chain");
                send(exchange, 200, chain);
            }
        }
    }

    private static String payload(String request) {
        Matcher matcher = PAYLOAD.matcher(request);
        return matcher.find()
                ? new String(Base64.getUrlDecoder().decode(matcher.group(1)), US_ASCII)
                : "";
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.replace('\'', '"').getBytes(US_ASCII);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private String directory() {
        if (fault == Fault.NO_JSON) {
            return "no JSON\nat all";
        }
        return "{'newNonce':'U/nonce','newAccount':'U/account','newOrder':'U/new-order','meta':{'termsOfService':'https://ca.example/terms'}}"
                .replace("U", url());
    }

    private void newOrder(HttpExchange exchange) throws IOException {
        if (fault == Fault.RATE_LIMITED || fault == Fault.BUSY_WITHOUT_TIME) {
            exchange.getResponseHeaders().set("Content-Type", "application/problem+json");
            if (fault == Fault.RATE_LIMITED) {
                exchange.getResponseHeaders().set("Retry-After", "7200");
            }
            send(
                    exchange,
                    429,
                    "{'type':'urn:ietf:params:acme:error:rateLimited','detail':'too many orders'}");
            return;
        }
        exchange.getResponseHeaders().set("Location", url() + "/order/1");
        send(exchange, 201, order());
    }

    private String order() {
        StringBuilder names = new StringBuilder();
        StringBuilder authorizations = new StringBuilder();
        for (String name : NAMES) {
            String comma = names.isEmpty() ? "" : ",";
            names.append(comma).append("{'type':'dns','value':'").append(name).append("'}");
            authorizations.append(comma).append("'U/authorization/").append(name).append("'");
        }
        boolean proved = fault == Fault.PROVED_BEFORE || triggered.size() >= NAMES.size();
        String state = proved ? "ready" : "pending";
        String error = "";
        if (!chain.isEmpty()) {
            state = "valid";
        } else if (fault == Fault.ORDER_INVALID && proved) {
            state = "invalid";
            error = ",'error':{'type':'urn:ietf:params:acme:error:caa','detail':'not allowed'}";
        }
        return ("{'status':'"
                        + state
                        + "','identifiers':["
                        + names
                        + "],'authorizations':["
                        + authorizations
                        + "],'finalize':'U/finalize/1','certificate':'U/certificate/1'"
                        + error
                        + "}")
                .replace("U", url());
    }

    private String authorization(String name) {
        boolean proved = fault == Fault.PROVED_BEFORE || triggered.contains(name);
        String error = "";
        String state = proved ? "valid" : "pending";
        if (proved && fault == Fault.NAME_NOT_PROVED) {
            state = "invalid";
            error =
                    ",'error':{'type':'urn:ietf:params:acme:error:connection','detail':'refused by"
                            + " 192.0.2.1'}";
        } else if (proved && fault == Fault.NAME_NOT_PROVED_WITHOUT_REASON) {
            state = "invalid";
        }
        String shown = fault == Fault.OTHER_NAME ? "../../x" : name;
        return "{'identifier':{'type':'dns','value':'"
                + shown
                + "'},'status':'"
                + state
                + "','challenges':["
                + challenge(name, state, error)
                + "]}";
    }

    private String challenge(String name, String state, String error) {
        String type = fault == Fault.NO_SUCH_CHALLENGE ? "dns-01" : "http-01";
        return "{'type':'"
                + type
                + "','url':'"
                + url()
                + "/challenge/"
                + name
                + "','status':'"
                + state
                + "','token':'"
                + token(name)
                + "'"
                + error
                + "}";
    }

    private String issue(String payload) throws IOException {
        Matcher matcher = CSR.matcher(payload);
        if (!matcher.find()) {
            throw new IOException("no request for a certificate");
        }
        try {
            PublicKey key =
                    new JcaPKCS10CertificationRequest(
                                    Base64.getUrlDecoder().decode(matcher.group(1)))
                            .getPublicKey();
            PublicKey used = fault == Fault.OTHER_KEY ? CertifiedKey.newKeys().getPublic() : key;
            return Pem.of(
                    List.of(
                            TestCertificates.leaf(
                                    used,
                                    Instant.parse("2026-01-01T00:00:00Z"),
                                    Duration.ofDays(90),
                                    "a.test",
                                    "b.test")));
        } catch (Exception e) {
            throw new IOException("nothing issued", e);
        }
    }

    URI uri() {
        return URI.create(url() + "/directory");
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
    }
}
