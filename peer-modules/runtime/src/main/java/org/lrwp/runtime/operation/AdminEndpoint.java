package org.lrwp.runtime.operation;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import org.jspecify.annotations.Nullable;
import org.lrwp.runtime.caller.Caller;
import org.lrwp.runtime.caller.HostNames;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.configuration.Entry;
import org.lrwp.runtime.configuration.Origin;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What something at work says of itself on a port of the loopback address, and where it is changed.
 *
 * <pre>
 *   GET /                       values with their origins, and figures, for people
 *   GET /status                 the same as JSON; /-/status too, as in the proxy
 *   GET /report                 what it says beyond that, for people
 *   GET /metrics                figures for Prometheus
 *   GET /configuration          all values as JSON
 *   GET /configuration/NAME     one value as JSON
 *   PUT /configuration/NAME     the body is its new value
 *   PUT /configuration          the body has lines NAME = VALUE: all of them or none
 *   DELETE /configuration/NAME  takes back what a PUT or a console has set
 * </pre>
 *
 * <p>PUT and DELETE need {@code Authorization: Bearer TOKEN}. A request whose Host is neither a
 * loopback address nor {@code localhost}, or whose Origin is another host, is refused, so that no
 * web page gets here through an operator's browser. A request that is not whole in time ends its
 * connection, and meanwhile holds up no other.
 */
final class AdminEndpoint implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(AdminEndpoint.class.getName());
    private static final int BACKLOG = 16;
    private static final int MOST_BODY = 65_536;
    private static final Duration REQUEST_TIME = Duration.ofSeconds(10);
    private static final String CONFIGURATION = "/configuration";
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";
    private static final String JSON = "application/json";

    /** An answer. */
    private record Answer(int status, String type, String text) {}

    private final Operated subject;
    private final byte @Nullable [] token;
    private final HttpServer server;
    private final TimedThreads threads;

    private AdminEndpoint(
            Operated subject, byte @Nullable [] token, HttpServer server, Duration requestTime) {
        this.subject = subject;
        this.token = token;
        this.server = server;
        this.threads = new TimedThreads("lrwp-admin", requestTime);
    }

    /** Opens the endpoint of what is at work; null when there is none. */
    static @Nullable AdminEndpoint open(Operated subject, Admin admin)
            throws BadConfigurationException {
        return open(subject, admin, REQUEST_TIME);
    }

    /** The same with another time for a request to come. */
    static @Nullable AdminEndpoint open(Operated subject, Admin admin, Duration requestTime)
            throws BadConfigurationException {
        if (admin.port() < 0) {
            return null;
        }
        byte[] token =
                admin.tokenFile() == null
                        ? null
                        : SecretFile.read("admin-token-file", admin.tokenFile());
        try {
            var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), admin.port());
            HttpServer server = HttpServer.create(address, BACKLOG);
            AdminEndpoint endpoint = new AdminEndpoint(subject, token, server, requestTime);
            server.setExecutor(endpoint.threads);
            server.createContext("/", endpoint::handle);
            server.start();
            LOG.log(
                    Level.INFO,
                    "admin-open module={0} address=127.0.0.1:{1}",
                    subject.name(),
                    Integer.toString(endpoint.port()));
            return endpoint;
        } catch (IOException e) {
            throw new BadConfigurationException(
                    "admin-port: " + admin.port() + " cannot be had: " + e.getMessage());
        }
    }

    int port() {
        return server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Answer answer;
            try {
                answer = answer(exchange);
            } catch (BadConfigurationException e) {
                answer = error(400, String.valueOf(e.getMessage()));
            } catch (RuntimeException e) {
                LOG.log(Level.ERROR, "admin-failed module=" + subject.name(), e);
                answer = error(500, "internal error");
            }
            byte[] bytes = answer.text().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", answer.type());
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            boolean head = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(answer.status(), head ? -1 : bytes.length);
            if (!head) {
                exchange.getResponseBody().write(bytes);
            }
        }
    }

    private static Answer error(int status, String sentence) {
        return new Answer(status, TEXT, sentence + "\n");
    }

    private Answer answer(HttpExchange exchange) throws IOException, BadConfigurationException {
        Headers head = exchange.getRequestHeaders();
        String host = head.getFirst("Host");
        if (!HostNames.isLoopback(host)) {
            return error(403, "Host is neither a loopback address nor localhost");
        }
        if (Caller.isForeignPage(head.getFirst("Origin"), host)) {
            return error(403, "not for pages of other hosts");
        }
        String path = exchange.getRequestURI().getPath();
        return switch (exchange.getRequestMethod()) {
            case "GET", "HEAD" -> page(path);
            case "PUT", "DELETE" -> {
                Answer refused = refusal(exchange);
                if (refused == null) {
                    yield change(exchange, path);
                }
                subject.configuration().refuse(origin(exchange), refused.text().strip());
                yield refused;
            }
            default -> error(405, "only GET, PUT and DELETE");
        };
    }

    private Answer page(String path) {
        return switch (path) {
            case "/" -> new Answer(200, TEXT, PlainText.people(subject));
            case "/status", "/-/status" -> new Answer(200, JSON, JsonText.status(subject) + "\n");
            case "/report" -> new Answer(200, TEXT, PlainText.lines(subject.report()));
            case "/metrics" -> new Answer(200, METRICS, subject.metrics());
            case CONFIGURATION ->
                    new Answer(
                            200,
                            JSON,
                            JsonText.entries(subject.configuration().values().entries()) + "\n");
            default ->
                    entry(path)
                            .map(one -> new Answer(200, JSON, JsonText.entry(one) + "\n"))
                            .orElseGet(() -> error(404, "there is no such page"));
        };
    }

    private Optional<Entry> entry(String path) {
        return subject.configuration().values().entries().stream()
                .filter(one -> path.equals(CONFIGURATION + "/" + one.name()))
                .findFirst();
    }

    private @Nullable Answer refusal(HttpExchange exchange) {
        if (token == null) {
            return error(403, "no admin-token-file is set, so nothing can be changed here");
        }
        String said = exchange.getRequestHeaders().getFirst("Authorization");
        String bearer = "Bearer ";
        byte[] given =
                said != null && said.startsWith(bearer)
                        ? said.substring(bearer.length()).getBytes(StandardCharsets.UTF_8)
                        : new byte[0];
        return MessageDigest.isEqual(given, token)
                ? null
                : error(401, "the token is missing or wrong");
    }

    private Answer change(HttpExchange exchange, String path)
            throws IOException, BadConfigurationException {
        byte[] bytes = exchange.getRequestBody().readNBytes(MOST_BODY + 1);
        TimedThreads.untimed();
        if (bytes.length > MOST_BODY) {
            return error(413, "the body is longer than " + MOST_BODY + " bytes");
        }
        String body = new String(bytes, StandardCharsets.UTF_8);
        Configuration configuration = subject.configuration();
        boolean put = exchange.getRequestMethod().equals("PUT");
        String name =
                path.startsWith(CONFIGURATION + "/")
                        ? path.substring(CONFIGURATION.length() + 1)
                        : "";
        if (put && path.equals(CONFIGURATION)) {
            configuration.set(lines(body), origin(exchange));
            return page(CONFIGURATION);
        } else if (put && !name.isEmpty()) {
            configuration.set(Map.of(name, body.strip()), origin(exchange));
            return page(path);
        } else if (!put && !name.isEmpty()) {
            configuration.reset(name, origin(exchange));
            Answer now = page(path);
            return now.status() == 404 ? error(200, name + " is not set any more") : now;
        }
        return error(404, "there is no such page");
    }

    private static Map<String, String> lines(String body) throws BadConfigurationException {
        Map<String, String> texts = new LinkedHashMap<>();
        for (String raw : body.split("\n", -1)) {
            String line = raw.strip();
            int equals = line.indexOf('=');
            if (line.isEmpty()) {
                continue;
            }
            if (equals < 1) {
                throw new BadConfigurationException("not of the form name = value: " + line);
            }
            texts.put(line.substring(0, equals).strip(), line.substring(equals + 1).strip());
        }
        return texts;
    }

    private static Origin origin(HttpExchange exchange) {
        String address = exchange.getRemoteAddress().getAddress().getHostAddress();
        return new Origin(Origin.Kind.HTTP, address);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
