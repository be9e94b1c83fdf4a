package org.lrwp.webapp.steering;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.audit.AuditActor;
import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.engine.audit.AuditTrail;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.protocol.HeaderField;
import org.lrwp.runtime.caller.Caller;
import org.lrwp.runtime.configuration.Entry;
import org.lrwp.runtime.json.FlatJson;
import org.lrwp.runtime.json.Json;
import org.lrwp.runtime.operation.Operators;
import org.lrwp.runtime.operation.ValueJson;
import org.lrwp.webapp.client.OwnPages;
import org.lrwp.webapp.inspector.Inspection;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The runtime API under {@code /-/api/v1}: docs/operations.md and {@code openapi.json} beside this
 * class. Whoever may see the status page may read. A change needs the token, and no web page can
 * send it: browsers add neither the token nor the type of the body by themselves. Any thread.
 */
public final class Api implements OwnPages {
    /** What its paths begin with. */
    public static final String HEAD = "/-/api/v1/";

    private static final String JSON = "application/json";
    private static final String PROBLEM = "application/problem+json";
    private static final Set<String> PAUSE = Set.of("context", "virtualHost", "text", "retryAfter");

    private final View view;
    private final Steering steering;
    private final OperatorAccess operators;
    private final AuditTrail audit;
    private final byte[] description;

    /**
     * Creates the API.
     *
     * @param view what can be seen
     * @param steering what can be done
     * @param operators who may
     * @param audit told of those who may not
     */
    public Api(View view, Steering steering, OperatorAccess operators, AuditTrail audit) {
        this.view = view;
        this.steering = steering;
        this.operators = operators;
        this.audit = audit;
        this.description = resource();
    }

    private static byte[] resource() {
        try (InputStream in = Api.class.getResourceAsStream("openapi.json")) {
            if (in == null) {
                throw new IOException("openapi.json is missing");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Answer answer(Question question) {
        String method = question.head().method();
        String path = question.path().substring(HEAD.length());
        if (method.equals("GET") || method.equals("HEAD")) {
            return isInspector(path)
                    ? withToken(question.head(), operator -> inspected(path))
                    : read(path);
        }
        Call call = Call.of(method, path);
        if (call == null) {
            boolean known = Call.isPath(path) || isInspector(path) || read(path).status() == 200;
            return known ? problem(405, method + " is not for " + path + ".") : missing(path);
        }
        return withToken(question.head(), operator -> act(call, question, operator));
    }

    /** What is for operators alone. */
    private Answer withToken(RequestHead head, Function<AuditActor, Answer> then) {
        if (Caller.isForeignPage(head.first("Origin"), head.first("Host"))) {
            return refused(head, problem(403, "This is not for pages of other hosts."));
        }
        OperatorAccess.Judgement judged = operators.judge(head);
        Operators.Verdict verdict = judged.verdict();
        return switch (verdict) {
            case ALLOWED -> then.apply(judged.actor());
            case CLOSED -> refused(head, problem(403, operators.sentence(verdict)));
            case MISSING -> refused(head, unknown(verdict, Duration.ZERO));
            case WRONG -> refused(head, unknown(verdict, Operators.PENALTY));
            case TOO_MANY -> refused(head, problem(429, operators.sentence(verdict)));
        };
    }

    // ---- Reading.

    private Answer read(String path) {
        String text =
                switch (path) {
                    case "status" -> ApiJson.status(view);
                    case "contexts" -> ApiJson.contexts(view);
                    case "peers" -> ApiJson.peers(view);
                    case "requests" -> ApiJson.requests(view);
                    case "errors" -> ApiJson.errors(view);
                    case "caches" -> ApiJson.caches(view);
                    case "modules" -> ApiJson.modules(view);
                    case Call.VALUES -> ValueJson.values(view.configuration().values().entries());
                    case "traffic" -> ApiJson.traffic(view);
                    case "cluster" -> ClusterJson.text(view.cluster().get());
                    default -> "";
                };
        if (path.equals("openapi.json")) {
            return Answer.of(200, JSON, description);
        } else if (!text.isEmpty()) {
            return json(200, JSON, text);
        }
        if (!path.startsWith(Call.VALUE)) {
            return missing(path);
        }
        String key = path.substring(Call.VALUE.length());
        Entry entry = entry(key);
        return entry == null
                ? problem(404, "There is no key " + key + ".")
                : json(200, JSON, ValueJson.value(entry));
    }

    /** Heads and bodies of clients are for operators alone. */
    private static boolean isInspector(String path) {
        return path.equals(Call.INSPECTOR) || path.startsWith(Call.INSPECTOR + "/");
    }

    private Answer inspected(String path) {
        if (path.equals(Call.INSPECTOR)) {
            return json(200, JSON, InspectorJson.all(view.inspector().all()));
        }
        String id = path.substring(Call.INSPECTOR.length() + 1);
        Inspection one = view.inspector().find(id);
        return one == null
                ? problem(404, "The inspector has no request " + id + ".")
                : json(200, JSON, InspectorJson.one(one));
    }

    private @Nullable Entry entry(String name) {
        return view.configuration().values().entries().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    private static Answer missing(String path) {
        return problem(404, "There is no " + path + " in this API.");
    }

    // ---- Acting.

    private Answer unknown(Operators.Verdict verdict, Duration delay) {
        Answer plain = problem(401, operators.sentence(verdict));
        return new Answer(
                401,
                List.of(
                        new HeaderField("Content-Type", PROBLEM),
                        new HeaderField("WWW-Authenticate", "Bearer")),
                plain.body(),
                delay,
                null);
    }

    private Answer refused(RequestHead head, Answer answer) {
        audit.record(
                AuditEvent.refused(
                        AuditEvent.Action.LOGIN,
                        AuditActor.anonymous(head.connection().remoteText()),
                        head.method() + " " + head.target().raw(),
                        "status=" + answer.status()));
        return answer;
    }

    private Answer act(Call call, Question question, AuditActor operator) {
        if (question.body().length > 0 && !Json.isNamed(question.head().first("Content-Type"))) {
            return problem(415, "The body has to be " + JSON + ".");
        }
        try {
            return switch (call.kind()) {
                case DRAIN_NODE, RESUME_NODE, DRAIN_PEERS, RESUME_PEERS ->
                        Answer.of(
                                everywhere(call.kind(), question.body(), operator)
                                        .thenApply(outcome -> answer(call, outcome)));
                default -> answer(call, steer(call, question, operator));
            };
        } catch (IOException e) {
            return problem(400, String.valueOf(e.getMessage()));
        }
    }

    private CompletableFuture<SteeringOutcome> everywhere(
            Call.Kind kind, byte[] body, AuditActor operator) throws IOException {
        ClusterSteering cluster = steering.cluster();
        return switch (kind) {
            case DRAIN_NODE -> cluster.drainNode(word(body, "node"), operator);
            case RESUME_NODE -> cluster.resumeNode(word(body, "node"), operator);
            case DRAIN_PEERS -> cluster.drainPeers(word(body, "peer"), operator);
            default -> cluster.resumePeers(word(body, "peer"), operator);
        };
    }

    private static String word(byte[] body, String name) throws IOException {
        return FlatJson.read(body, Set.of(name)).getOrDefault(name, "");
    }

    private SteeringOutcome steer(Call call, Question question, AuditActor operator)
            throws IOException {
        byte[] body = question.body();
        return switch (call.kind()) {
            case DRAIN -> steering.drain(call.subject(), operator);
            case WEIGH -> steering.weigh(call.subject(), word(body, "value"), operator);
            case DISCONNECT -> steering.disconnect(call.subject(), operator);
            case CANCEL -> steering.cancel(call.subject(), operator);
            case REPEAT -> steering.repeat(call.subject(), operator);
            case UNSET -> steering.unset(call.subject(), operator);
            case SET -> {
                String value = FlatJson.read(body, Set.of("value")).get("value");
                yield value == null
                        ? new SteeringOutcome(400, "value is missing.")
                        : steering.set(Map.of(call.subject(), value), operator);
            }
            case SET_ALL -> steering.set(FlatJson.read(body), operator);
            case PURGE -> steering.purge(word(body, "prefix"), operator);
            case DRAIN_NODE, RESUME_NODE, DRAIN_PEERS, RESUME_PEERS ->
                    throw new IllegalArgumentException(call.toString());
            case PAUSE, RESUME -> {
                Map<String, String> said = FlatJson.read(body, PAUSE);
                var context =
                        new ServedContext(
                                said.getOrDefault("context", ""),
                                said.getOrDefault("virtualHost", ""));
                yield call.kind() == Call.Kind.RESUME
                        ? steering.resume(context, operator)
                        : steering.pause(
                                context,
                                said.getOrDefault("text", ""),
                                said.getOrDefault("retryAfter", ""),
                                operator);
            }
        };
    }

    private Answer answer(Call call, SteeringOutcome outcome) {
        if (!outcome.isDone()) {
            return problem(outcome.status(), outcome.sentence());
        }
        if (call.kind() == Call.Kind.SET_ALL) {
            return read(Call.VALUES);
        }
        Entry entry = call.kind() == Call.Kind.SET ? entry(call.subject()) : null;
        return json(
                200,
                JSON,
                entry == null ? ValueJson.done(outcome.sentence()) : ValueJson.value(entry));
    }

    private static Answer problem(int status, String detail) {
        return json(status, PROBLEM, ValueJson.problem(status, detail));
    }

    private static Answer json(int status, String type, String text) {
        return Answer.of(status, type, (text + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
