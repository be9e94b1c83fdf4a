package org.lrwp.webapp.console;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.audit.AuditActor;
import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.engine.audit.AuditEvent.Action;
import org.lrwp.engine.audit.AuditTrail;
import org.lrwp.engine.request.ClientConnection;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.engine.time.NanoClock;
import org.lrwp.runtime.caller.Caller;
import org.lrwp.runtime.operation.Operators;
import org.lrwp.webapp.client.OwnPages;
import org.lrwp.webapp.console.ConsolePage.Viewer;
import org.lrwp.webapp.console.Sessions.Message;
import org.lrwp.webapp.steering.OperatorAccess;
import org.lrwp.webapp.steering.Steering;
import org.lrwp.webapp.steering.SteeringOutcome;
import org.lrwp.webapp.steering.View;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The console. Whoever may see the status page may read it. Who shows a token in its login form, or
 * comes with the certificate of an operator, gets a session, whose cookie no other site can send
 * and no script can read; each of its forms has to show a secret of the session as well. The page
 * runs no script but {@code console.js}, and needs none. Any thread; nothing blocks.
 */
public final class Console implements OwnPages {
    private static final Set<String> PAGES = Set.of("", "console.css", "console.js", "live");
    private static final Set<String> FORMS =
            Set.of(
                    "login",
                    "logout",
                    "drain",
                    "disconnect",
                    "weigh",
                    "cancel",
                    "repeat",
                    "pause",
                    "resume",
                    "set",
                    "unset",
                    "purge",
                    "drain-node",
                    "resume-node",
                    "drain-peers",
                    "resume-peers");
    private static final String HEAD = "/-/";

    private final View view;
    private final Commands commands;
    private final OperatorAccess operators;
    private final AuditTrail audit;
    private final Visitors visitors;
    private final byte[] style = resource("console.css");
    private final byte[] script = resource("console.js");

    /**
     * Creates the console.
     *
     * @param view what can be seen
     * @param steering what can be done
     * @param operators who may
     * @param audit told of those who log in, or may not
     * @param sessionTime how long a session lasts
     */
    public Console(
            View view,
            Steering steering,
            OperatorAccess operators,
            AuditTrail audit,
            Supplier<Duration> sessionTime) {
        this.view = view;
        this.commands = new Commands(steering);
        this.operators = operators;
        this.audit = audit;
        this.visitors = new Visitors(new Sessions(sessionTime, NanoClock.SYSTEM), operators);
    }

    private static byte[] resource(String name) {
        try (InputStream in = Console.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException(name + " is missing");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Says whether a page is the console's.
     *
     * @param path below the context root
     * @return whether {@link #answer} knows it
     */
    public static boolean owns(String path) {
        String page = path.startsWith(HEAD) ? path.substring(HEAD.length()) : "-";
        return path.equals("/-") || PAGES.contains(page) || FORMS.contains(page);
    }

    @Override
    public Answer answer(Question question) {
        String method = question.head().method();
        if (question.path().equals("/-")) {
            return Answers.to("-/");
        }
        String page = question.path().substring(HEAD.length());
        boolean reads = method.equals("GET") || method.equals("HEAD");
        if (FORMS.contains(page)) {
            return method.equals("POST") ? post(page, question) : Answer.error(405);
        } else if (!reads) {
            return Answer.error(405);
        }
        return switch (page) {
            case "" -> page(question.head());
            case "console.css" -> Answers.of(200, "text/css;charset=utf-8", style);
            case "console.js" -> Answers.of(200, "text/javascript;charset=utf-8", script);
            case "live" -> live(question.head());
            default -> Answer.error(404);
        };
    }

    private Answer page(RequestHead head) {
        Sessions.Session session = visitors.session(head);
        return page(
                200, viewer(head, session), session == null ? Message.NONE : session.takeMessage());
    }

    private Answer page(int status, Viewer viewer, Message message) {
        String text = new ConsolePage(view, viewer).whole(message);
        return Answers.of(status, Answers.HTML, text.getBytes(StandardCharsets.UTF_8));
    }

    private Viewer viewer(RequestHead head, Sessions.@Nullable Session session) {
        return new Viewer(
                session,
                visitors.certified(head),
                operators.hasTokens(),
                Find.of(head.target().query()));
    }

    /** The moving parts every two seconds, as events. */
    private Answer live(RequestHead head) {
        if (head.method().equals("HEAD")) {
            return Answer.error(405);
        }
        Supplier<byte[]> events =
                () -> {
                    String parts =
                            new ConsolePage(view, viewer(head, visitors.session(head))).moving();
                    return ("data: " + parts + "\n\n").getBytes(StandardCharsets.UTF_8);
                };
        return Answers.events(events);
    }

    // ---- Who it is.

    private Answer logIn(RequestHead head, Form form) {
        ClientConnection from = head.connection();
        String token = form.get("token");
        OperatorAccess.Judgement judged =
                token.isEmpty()
                        ? operators.judgeCertificate(from)
                        : operators.judgeToken(token, from);
        if (judged.isAllowed()) {
            audit.record(AuditEvent.done(Action.LOGIN, judged.actor(), "console", ""));
            return Answers.to("./", visitors.letIn(judged.actor(), from.secure()));
        }
        String sentence = operators.sentence(judged.verdict());
        refused(head, sentence);
        Answer page = page(403, viewer(head, null), new Message(sentence, false));
        boolean wrong = judged.verdict() == Operators.Verdict.WRONG;
        Duration delay = wrong ? Operators.PENALTY : Duration.ZERO;
        return new Answer(page.status(), page.fields(), page.body(), delay, null);
    }

    private void refused(RequestHead head, String why) {
        audit.record(
                AuditEvent.refused(
                        Action.LOGIN,
                        AuditActor.anonymous(head.connection().remoteText()),
                        head.target().path(),
                        why));
    }

    // ---- What he does.

    private Answer post(String page, Question question) {
        RequestHead head = question.head();
        if (Caller.isForeignPage(head.first("Origin"), head.first("Host"))) {
            refused(head, "from a page of another host");
            return Answer.error(403);
        }
        Form form = Form.read(question.body());
        if (page.equals("login")) {
            return logIn(head, form);
        }
        Sessions.Session session = visitors.session(head);
        if (session == null || !session.isForm(form.get("form"))) {
            refused(head, "no session, or not its form");
            return page(
                    403,
                    viewer(head, session),
                    new Message("Log in first; this session is over or not yours.", false));
        }
        if (page.equals("logout")) {
            return Answers.to("./", visitors.letOut(session));
        }
        CompletableFuture<SteeringOutcome> outcome =
                commands.run(page, form, Visitors.actor(session, head));
        return outcome == null
                ? Answer.error(404)
                : Answer.of(outcome.thenApply(done -> told(session, form, done)));
    }

    private static Answer told(Sessions.Session session, Form form, SteeringOutcome outcome) {
        session.tell(new Message(outcome.sentence(), outcome.isDone()));
        return Answers.to(Find.of(form).page());
    }
}
