package org.lrwp.webapp.steering;

import org.lrwp.cluster.ClusterStatus;
import org.lrwp.cluster.OtherNodes;
import org.lrwp.engine.ProxyEngine;
import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.engine.identity.CertificatePattern;
import org.lrwp.engine.request.ClientConnection;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.engine.request.RequestIds;
import org.lrwp.engine.transport.SelectorTransport;
import org.lrwp.protocol.HeaderField;
import org.lrwp.runtime.operation.Operators;
import org.lrwp.webapp.AuditedConfiguration;
import org.lrwp.webapp.client.OwnPages;
import org.lrwp.webapp.config.ConfigReader;
import org.lrwp.webapp.console.Console;
import org.lrwp.webapp.inspector.Inspector;
import org.lrwp.webapp.inspector.Repeats;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** A running engine with its API and its console, without a container. */
public final class OperatedProxy implements AutoCloseable {
    /** What an operator shows. */
    public static final String TOKEN = "0123456789abcdef";

    /** What another one shows. */
    public static final String ERIKA = "fedcba9876543210";

    private static final ClusterStatus CLUSTER =
            new ClusterStatus(
                    true,
                    "lrwp",
                    "a",
                    false,
                    "the connection has <ended>",
                    7,
                    List.of(
                            node("a", ClusterStatus.State.SELF),
                            node("b", ClusterStatus.State.SILENT)),
                    Map.of("sent", 3L));

    private static ClusterStatus.Node node(String name, ClusterStatus.State state) {
        return new ClusterStatus.Node(
                name,
                state,
                12,
                "1.0",
                99,
                false,
                4,
                List.of(new ClusterStatus.Context("/osp", "", 8, 5, 2)));
    }

    private final AtomicLong nanos = new AtomicLong();
    private final List<AuditEvent> audited = new CopyOnWriteArrayList<>();
    private final RecentErrors errors = new RecentErrors(InstantSource.system());
    private final Traffic traffic = new Traffic(InstantSource.system());
    private final ConfigReader.Opened opened;
    private final AtomicReference<Map<String, List<CertificatePattern>>> certificates =
            new AtomicReference<>(Map.of());
    private final Inspector inspector;
    private final ProxyEngine engine;
    private final Api api;
    private final Console console;
    private volatile OtherNodes nodes = OtherNodes.NONE;

    /** Starts it; without a token nobody may act. */
    public OperatedProxy(boolean withToken) throws Exception {
        opened =
                ConfigReader.open(
                        Map.of(),
                        Map.of("lrwp.agent.port", "0", "lrwp.agent.lrwp1-settle", "0"),
                        null,
                        "1");
        new AuditedConfiguration(opened.configuration(), "").follow(audited::add);
        inspector =
                new Inspector(
                        () -> opened.live().get().request().traffic(), InstantSource.system());
        engine =
                ProxyEngine.start(
                        opened.live().get().engine(),
                        ended -> {
                            errors.ended(ended);
                            traffic.ended(ended);
                            inspector.ended(ended);
                        },
                        audited::add,
                        new SelectorTransport(1));
        opened.live().onChange(() -> engine.limit(opened.live().get().engine()));
        View view = view();
        List<Operators.Named> tokens =
                withToken
                        ? List.of(
                                new Operators.Named("admin", bytes(TOKEN)),
                                new Operators.Named("erika", bytes(ERIKA)))
                        : List.of();
        var operators =
                new OperatorAccess(
                        new Operators(tokens, nanos::get, "admin.token-file"),
                        certificates::get,
                        InstantSource.system());
        var repeats =
                new Repeats(
                        inspector, engine, () -> opened.live().get().request(), new RequestIds(1));
        var steering =
                new Steering(
                        engine.commands(),
                        opened.configuration(),
                        audited::add,
                        repeats,
                        new ClusterSteering(engine.commands(), () -> nodes, audited::add));
        api = new Api(view, steering, operators, audited::add);
        console = new Console(view, steering, operators, audited::add, () -> Duration.ofHours(1));
    }

    private View view() {
        return new View(
                "1.0",
                () -> Duration.ofMinutes(3),
                engine::status,
                List::of,
                opened.configuration(),
                errors,
                traffic,
                inspector,
                () -> CLUSTER);
    }

    private static byte[] bytes(String token) {
        return token.getBytes(StandardCharsets.US_ASCII);
    }

    /** What the inspector keeps. */
    public Inspector inspector() {
        return inspector;
    }

    /** The engine. */
    public ProxyEngine engine() {
        return engine;
    }

    /** Gives an operator certificates; they are nobody else's any more. */
    public void certify(String operator, CertificatePattern... patterns) {
        certificates.set(Map.of(operator, List.of(patterns)));
    }

    /** A request of the console by a connection with a certificate, in DER. */
    public OwnPages.Answer console(
            byte[] certificate, String method, String path, String body, String... fields)
            throws Exception {
        return console.answer(question(certified(certificate), method, "/-/" + path, body, fields));
    }

    /** A request of the API by a connection with a certificate, in DER. */
    public OwnPages.Answer api(
            byte[] certificate, String method, String path, String body, String... fields)
            throws Exception {
        return api.answer(question(certified(certificate), method, Api.HEAD + path, body, fields));
    }

    private static ClientConnection certified(byte[] certificate) {
        return new ClientConnection(InetAddress.getLoopbackAddress(), 1, "here", 443, true)
                .inTls("TLSv1.3", "", certificate);
    }

    /** What was written to the audit log. */
    public List<AuditEvent> audited() {
        return audited;
    }

    /** Takes a sample of the traffic. */
    public void sample() {
        traffic.sample();
    }

    /** Lets time pass. */
    public void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    /** A request of the API with the token. */
    public OwnPages.Answer act(String method, String path, String body) throws Exception {
        return api(
                method,
                path,
                body,
                "Authorization",
                "Bearer " + TOKEN,
                "Content-Type",
                "application/json");
    }

    /** A request of the API. */
    public OwnPages.Answer api(String method, String path, String body, String... fields)
            throws Exception {
        return come(api.answer(question(method, Api.HEAD + path, body, fields)));
    }

    /** A request of the console. */
    public OwnPages.Answer console(String method, String path, String body, String... fields)
            throws Exception {
        return come(console.answer(question(method, "/-/" + path, body, fields)));
    }

    private static OwnPages.Answer come(OwnPages.Answer answer) {
        var later = answer.later();
        return later == null ? answer : later.orTimeout(10, TimeUnit.SECONDS).join();
    }

    /** Sets the other nodes. */
    public void use(OtherNodes others) {
        nodes = others;
    }

    private static OwnPages.Question question(
            String method, String path, String body, String... fields) throws Exception {
        var from = new ClientConnection(InetAddress.getLoopbackAddress(), 1, "here", 80, false);
        return question(from, method, path, body, fields);
    }

    private static OwnPages.Question question(
            ClientConnection from, String method, String path, String body, String... fields)
            throws Exception {
        int query = path.indexOf('?');
        String target = "/-/x" + (query < 0 ? "" : path.substring(query));
        var draft = new RequestHead.Draft(method, target, "HTTP/1.1", from);
        draft.field("Host", "localhost:1080");
        for (int i = 0; i < fields.length; i += 2) {
            draft.field(fields[i], fields[i + 1]);
        }
        String page = query < 0 ? path : path.substring(0, query);
        return new OwnPages.Question(draft.check(), page, body.getBytes(StandardCharsets.UTF_8));
    }

    /** The body of an answer. */
    public static String text(OwnPages.Answer answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        engine.close();
    }

    /** The first value of a field of an answer; empty when it has none. */
    public static String field(OwnPages.Answer answer, String name) {
        return answer.fields().stream()
                .filter(one -> one.name().equals(name))
                .map(HeaderField::value)
                .findFirst()
                .orElse("");
    }
}
