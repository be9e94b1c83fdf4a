package org.lrwp.server.ctl;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonString;

import org.jspecify.annotations.Nullable;
import org.lrwp.server.WrongUse;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.net.ConnectException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import javax.net.ssl.SSLException;

/** Looks at a running proxy, peer program or module, and steers it. */
@Command(
        name = "ctl",
        customSynopsis = {
            "lrwp ctl [--url URL] [--token-file FILE] [--json] COMMAND",
            "lrwp ctl --url https://HOST:PORT [--ca-file FILE]",
            "         [--certificate FILE --certificate-key FILE] [--json] COMMAND"
        },
        description = {
            "Looks at a running proxy and steers it; with --url of a peer program or module, that.",
            "",
            "  status                    the proxy in a few figures",
            "  contexts, peers, requests, errors, caches, traffic, modules",
            "  cluster                   its nodes, as this one sees them",
            "  config [KEY]              values with their origins",
            "  watch                     status, contexts and peers every two seconds",
            "",
            "These need --token-file, or --certificate by HTTPS:",
            "  inspect [ID]              requests that are kept, or one with heads and bodies",
            "  repeat ID                 sends one of them once more",
            "  drain PEER                takes no more requests, then leaves",
            "  drain-node [NODE]         no new requests are to be sent to a node of the",
            "                            cluster, or to this proxy; what comes is answered",
            "  resume-node [NODE]        they are again",
            "  drain-peers NAME          a peer (identity, instance or id) gets no new",
            "                            requests, at any node",
            "  resume-peers NAME         it gets them again",
            "  disconnect PEER           its connection is closed at once",
            "  weight PEER N             0 to 1000; at 200 it gets twice as much as at 100",
            "  cancel ID                 ends a request",
            "  pause CONTEXT             503 for new requests; --text, --retry-after",
            "  resume CONTEXT            takes requests again",
            "  set KEY VALUE ...         until the next start; several: all of them or none",
            "  unset KEY                 takes it back",
            "  purge [PREFIX]            removes answers from the response cache",
            "",
            "At the admin port of a peer program or module: status, config, set, unset, and",
            "",
            "  report                    what it says beyond its figures",
            "  actions                   what it can be told to do",
            "  run ACTION                has it done; needs --token-file",
            "",
            "Exit code: 0 done, 1 the proxy refused, 2 wrong use, 3 no proxy answers."
        },
        mixinStandardHelpOptions = false,
        sortOptions = false)
public final class Ctl implements Callable<Integer> {
    private static final int DONE = 0;
    private static final int REFUSED = 1;
    private static final int UNREACHED = 3;
    private static final long WATCH_SECONDS = 2;

    private static final List<String> NODES =
            List.of(
                    "name",
                    "state",
                    "draining",
                    "free",
                    "slots",
                    "waiting",
                    "away",
                    "ageMillis",
                    "version",
                    "contexts");

    private static final List<String> INSPECTED =
            List.of("time", "id", "method", "path", "context", "status", "reason", "totalMillis");

    static final Map<String, List<String>> VIEWS =
            Map.of(
                    "contexts",
                    List.of(
                            "context",
                            "virtualHost",
                            "served",
                            "paused",
                            "connections",
                            "busy",
                            "slots",
                            "waiting",
                            "outcomes"),
                    "peers",
                    List.of(
                            "id",
                            "contexts",
                            "identity",
                            "instance",
                            "program",
                            "version",
                            "state",
                            "busy",
                            "slots",
                            "stuck",
                            "weight",
                            "served",
                            "ageMillis"),
                    "requests",
                    List.of("id", "method", "path", "context", "phase", "peer", "ageMillis"),
                    "errors",
                    List.of("time", "reason", "status", "method", "path", "context", "peer", "id"),
                    "caches",
                    List.of("name", "figures"),
                    "actions",
                    List.of("name", "meaning"),
                    "modules",
                    List.of("name", "type", "state", "contexts", "adminPort", "refusal"),
                    "traffic",
                    List.of(
                            "end",
                            "ok",
                            "clientErrors",
                            "serverErrors",
                            "gone",
                            "medianMillis",
                            "slowMillis"));

    /** Where the list in an answer has another name than the command. */
    private static final Map<String, String> LISTS = Map.of("traffic", "samples");

    /** The end of what an API says of a path that it does not have. */
    private static final String NOT_THERE = " in this API.";

    private static final Set<String> OF_PROGRAMS = Set.of("report", "actions", "run");
    private static final Set<String> OF_BOTH = Set.of("status", "config", "set", "unset");

    private final PrintStream out;
    private final PrintStream err;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "Where the proxy is (default: ${DEFAULT-VALUE}).")
    private String url = "http://127.0.0.1:1080";

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "File with the token, as admin.token-file of the proxy.")
    private @Nullable Path tokenFile;

    @Mixin private final TlsFiles tls = new TlsFiles();

    @Option(names = "--json", description = "Print the answer as it is, for programs.")
    private boolean json;

    @Option(names = "--host", paramLabel = "NAME", description = "Virtual host of a context.")
    private String host = "";

    @Option(names = "--text", paramLabel = "TEXT", description = "What clients are told.")
    private String text = "";

    @Option(
            names = "--retry-after",
            paramLabel = "SECONDS",
            description = "When clients may come again.")
    private @Nullable Integer retryAfter;

    @SuppressWarnings("unused") // Picocli alone looks at it.
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this text.")
    private boolean help;

    @Parameters(paramLabel = "COMMAND", hidden = true)
    private List<String> words = new ArrayList<>();

    private Ctl(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /**
     * Runs a command and ends the JVM.
     *
     * @param args the options and the command
     */
    public static void main(String[] args) {
        System.exit(run(System.out, System.err, args));
    }

    static int run(PrintStream out, PrintStream err, String... args) {
        CommandLine command = new CommandLine(new Ctl(out, err));
        command.setOut(new PrintWriter(out, true, StandardCharsets.UTF_8));
        command.setParameterExceptionHandler(
                (wrong, given) -> {
                    err.println("lrwp: " + WrongUse.sentence(wrong));
                    return ExitCode.USAGE;
                });
        return command.execute(args);
    }

    @Override
    public Integer call() throws InterruptedException {
        try (ApiClient client = new ApiClient(url, tokenFile, tls.context(url))) {
            return perform(client);
        } catch (UsageException e) {
            err.println("lrwp: " + e.getMessage());
            return ExitCode.USAGE;
        } catch (SSLException e) {
            err.println("lrwp: no TLS with " + url + ": " + e.getMessage());
            return UNREACHED;
        } catch (IOException e) {
            err.println("lrwp: no proxy answers at " + url + ": " + reason(e));
            return UNREACHED;
        }
    }

    /** The client of the JDK says nothing of a connection that it did not get. */
    private static String reason(IOException fault) {
        String said = fault.getMessage();
        if (said != null) {
            return said;
        }
        if (fault instanceof ConnectException) {
            return fault.getCause() instanceof ConnectException inner
                            && inner.getCause() instanceof UnresolvedAddressException
                    ? "the host is unknown"
                    : "connection refused";
        }
        return fault.toString();
    }

    private int perform(ApiClient client) throws UsageException, IOException, InterruptedException {
        if (words.isEmpty()) {
            throw new UsageException("a command is missing: ./lrwp ctl --help lists them");
        }
        String name = words.getFirst();
        List<String> rest = words.subList(1, words.size());
        return switch (name) {
            case "status",
                    "contexts",
                    "peers",
                    "requests",
                    "errors",
                    "caches",
                    "traffic",
                    "actions",
                    "modules" -> {
                requireAlone(name, rest);
                yield show(client, name);
            }
            case "config" -> {
                require(name, rest, 0, 1, "at most one KEY");
                yield rest.isEmpty()
                        ? values(client)
                        : one(client, "configuration/" + ApiClient.segment(rest.getFirst()));
            }
            case "inspect" -> {
                require(name, rest, 0, 1, "at most one ID");
                yield inspect(client, rest);
            }
            case "report" -> {
                requireAlone(name, rest);
                yield print(client.send("GET", name, null), Ctl::lines);
            }
            case "cluster" -> {
                requireAlone(name, rest);
                yield print(client.send("GET", name, null), Ctl::nodes);
            }
            case "watch" -> {
                requireAlone(name, rest);
                yield watch(client);
            }
            default -> act(client, name, rest);
        };
    }

    private static void requireAlone(String name, List<String> rest) throws UsageException {
        if (!rest.isEmpty()) {
            throw new UsageException(name + " takes nothing behind it: ./lrwp ctl --help");
        }
    }

    private static void require(String name, List<String> rest, int least, int most, String what)
            throws UsageException {
        if (rest.size() < least || rest.size() > most) {
            throw new UsageException(name + " needs " + what + ": ./lrwp ctl --help");
        }
    }

    // ---- Looking.

    private int show(ApiClient client, String view)
            throws UsageException, IOException, InterruptedException {
        List<String> columns = VIEWS.get(view);
        return columns == null
                ? one(client, view)
                : print(
                        client.send("GET", view, null),
                        answer ->
                                Table.of(
                                        answer.getJsonArray(LISTS.getOrDefault(view, view)),
                                        columns));
    }

    private int one(ApiClient client, String path)
            throws UsageException, IOException, InterruptedException {
        return print(client.send("GET", path, null), Table::of);
    }

    private static String lines(JsonObject report) {
        return report.getJsonArray("lines").getValuesAs(JsonString.class).stream()
                .map(line -> Table.clean(line.getString()) + "\n")
                .collect(Collectors.joining());
    }

    private static String nodes(JsonObject cluster) {
        if (!cluster.getBoolean("enabled")) {
            return "This proxy is none of a cluster.\n";
        }
        String alone =
                cluster.getBoolean("connected")
                        ? ""
                        : Table.of(
                                Json.createObjectBuilder()
                                        .add("alone", cluster.getString("reason"))
                                        .build());
        return alone + Table.of(cluster.getJsonArray("nodes"), NODES);
    }

    private int inspect(ApiClient client, List<String> rest)
            throws UsageException, IOException, InterruptedException {
        String path =
                "inspector" + (rest.isEmpty() ? "" : "/" + ApiClient.segment(rest.getFirst()));
        ApiClient.Reply reply = client.send("GET", path, null);
        requireToken("inspect", reply);
        return print(
                reply,
                answer ->
                        rest.isEmpty()
                                ? Table.of(answer.getJsonArray("inspector"), INSPECTED)
                                : messages(answer));
    }

    private static String messages(JsonObject kept) {
        return "%s %s %s\n%s\n\n%s %s\n%s\n"
                .formatted(
                        kept.getString("method"),
                        kept.getString("path"),
                        kept.getString("protocol"),
                        message(kept, "fields", "body"),
                        kept.getInt("status", 0),
                        kept.getString("reason", ""),
                        message(kept, "answerFields", "answerBody"));
    }

    private static String message(JsonObject kept, String fields, String body) {
        StringBuilder text = new StringBuilder();
        for (JsonString field : kept.getJsonArray(fields).getValuesAs(JsonString.class)) {
            text.append(field.getString()).append('\n');
        }
        JsonObject part = kept.getJsonObject(body);
        text.append('\n').append(part.getString("text"));
        return part.getBoolean("whole")
                ? text.toString()
                : text + "\n(" + part.getJsonNumber("length") + " bytes in all)";
    }

    private void requireToken(String name, ApiClient.Reply reply) throws UsageException {
        if (reply.status() == 401 && tokenFile == null && !tls.haveCertificate()) {
            throw new UsageException(name + " needs --token-file or --certificate");
        }
    }

    private int values(ApiClient client) throws UsageException, IOException, InterruptedException {
        return print(client.send("GET", "configuration", null), Ctl::valuesTable);
    }

    private static String valuesTable(JsonObject answer) {
        return Table.ofValues(answer.getJsonArray("values"));
    }

    /** Makes a text for people. */
    private interface Form {
        String text(JsonObject answer);
    }

    private int print(ApiClient.Reply reply, Form form) {
        if (json) {
            out.print(reply.text());
            out.flush();
        } else if (reply.isDone()) {
            out.print(form.text(reply.json()));
            out.flush();
        }
        if (!reply.isDone() && !json) {
            err.println("lrwp: " + problem(reply.json()) + " (" + reply.status() + ")");
        }
        return reply.isDone() ? DONE : REFUSED;
    }

    /** What the API calls by its path is called here as it was typed. */
    private String problem(JsonObject answer) {
        String told = answer.getString("detail", answer.getString("message", "refused"));
        String name = words.getFirst();
        if (!told.endsWith(NOT_THERE) || OF_BOTH.contains(name)) {
            return told;
        }
        return OF_PROGRAMS.contains(name)
                ? name + " is for peer programs and modules: --url is to be their admin port"
                : name + " is for a proxy, but a peer program or module answers at " + url;
    }

    private int watch(ApiClient client) throws UsageException, IOException, InterruptedException {
        int code = DONE;
        while (code == DONE) {
            if (!json) {
                out.print("\u001b[H\u001b[2J");
            }
            code = show(client, "status");
            for (String view : List.of("contexts", "peers")) {
                if (code == DONE) {
                    out.println();
                    code = show(client, view);
                }
            }
            if (out.checkError()) {
                return DONE;
            }
            TimeUnit.SECONDS.sleep(WATCH_SECONDS);
        }
        return code;
    }

    // ---- Acting.

    private int act(ApiClient client, String name, List<String> rest)
            throws UsageException, IOException, InterruptedException {
        ApiClient.Reply reply = ask(client, name, rest);
        requireToken(name, reply);
        return print(
                reply,
                answer ->
                        answer.containsKey("done")
                                ? answer.getString("done") + "\n"
                                : answer.containsKey("values")
                                        ? valuesTable(answer)
                                        : Table.of(answer));
    }

    private ApiClient.Reply ask(ApiClient client, String name, List<String> rest)
            throws UsageException, IOException, InterruptedException {
        return switch (name) {
            case "drain" ->
                    client.send("POST", about(name, rest, "PEER", "peers/") + "/drain", null);
            case "drain-node", "resume-node" -> {
                require(name, rest, 0, 1, "at most one NODE");
                String node = rest.isEmpty() ? "" : rest.getFirst();
                yield everywhere(client, name, "cluster/", "node", node);
            }
            case "drain-peers", "resume-peers" -> {
                require(name, rest, 1, 1, "one NAME");
                yield everywhere(client, name, "cluster/peers/", "peer", rest.getFirst());
            }
            case "disconnect" -> client.send("DELETE", about(name, rest, "PEER", "peers/"), null);
            case "weight" -> {
                require(name, rest, 2, 2, "PEER and N");
                yield weight(client, rest.getFirst(), rest.getLast());
            }
            case "cancel" -> client.send("DELETE", about(name, rest, "ID", "requests/"), null);
            case "repeat" ->
                    client.send("POST", about(name, rest, "ID", "inspector/") + "/repeat", null);
            case "unset" -> client.send("DELETE", about(name, rest, "KEY", "configuration/"), null);
            case "pause", "resume" -> {
                require(name, rest, 1, 1, "one CONTEXT");
                yield client.send("POST", "contexts/" + name, context(name, rest));
            }
            case "set" -> {
                require(name, rest, 2, Integer.MAX_VALUE, "KEY and VALUE");
                yield set(client, rest);
            }
            case "run" -> client.send("POST", about(name, rest, "ACTION", "actions/"), null);
            case "purge" -> {
                require(name, rest, 0, 1, "at most one PREFIX");
                yield purge(client, rest.isEmpty() ? "" : rest.getFirst());
            }
            default ->
                    throw new UsageException(
                            "there is no command " + name + ": ./lrwp ctl --help lists them");
        };
    }

    private static ApiClient.Reply everywhere(
            ApiClient client, String name, String path, String key, String subject)
            throws UsageException, IOException, InterruptedException {
        String action = name.substring(0, name.indexOf('-'));
        return client.send(
                "POST", path + action, Json.createObjectBuilder().add(key, subject).build());
    }

    private static ApiClient.Reply weight(ApiClient client, String peer, String value)
            throws UsageException, IOException, InterruptedException {
        return client.send(
                "PUT",
                "peers/" + ApiClient.segment(peer) + "/weight",
                Json.createObjectBuilder().add("value", value).build());
    }

    private static ApiClient.Reply purge(ApiClient client, String prefix)
            throws UsageException, IOException, InterruptedException {
        return client.send(
                "POST", "caches/purge", Json.createObjectBuilder().add("prefix", prefix).build());
    }

    private static ApiClient.Reply set(ApiClient client, List<String> rest)
            throws UsageException, IOException, InterruptedException {
        if (rest.size() == 2) {
            return client.send(
                    "PUT",
                    "configuration/" + ApiClient.segment(rest.getFirst()),
                    Json.createObjectBuilder().add("value", rest.getLast()).build());
        }
        if (rest.size() % 2 != 0) {
            throw new UsageException("set needs a VALUE for each KEY: ./lrwp ctl --help");
        }
        JsonObjectBuilder values = Json.createObjectBuilder();
        for (int i = 0; i < rest.size(); i += 2) {
            values.add(rest.get(i), rest.get(i + 1));
        }
        return client.send("PUT", "configuration", values.build());
    }

    private static String about(String name, List<String> rest, String what, String head)
            throws UsageException {
        require(name, rest, 1, 1, "one " + what);
        return head + ApiClient.segment(rest.getFirst());
    }

    private JsonObject context(String name, List<String> rest) {
        JsonObjectBuilder body =
                Json.createObjectBuilder().add("context", rest.getFirst()).add("virtualHost", host);
        if (name.equals("pause")) {
            body.add("text", text);
            if (retryAfter != null) {
                body.add("retryAfter", retryAfter);
            }
        }
        return body.build();
    }
}
