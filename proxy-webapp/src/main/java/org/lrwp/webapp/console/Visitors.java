package org.lrwp.webapp.console;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.audit.AuditActor;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.protocol.HeaderField;
import org.lrwp.webapp.steering.OperatorAccess;

/** Knows browsers that have logged in by their cookies. Any thread; nothing blocks for long. */
final class Visitors {
    private static final String COOKIE = "lrwp-session";

    private final Sessions sessions;
    private final OperatorAccess operators;

    Visitors(Sessions sessions, OperatorAccess operators) {
        this.sessions = sessions;
        this.operators = operators;
    }

    /**
     * Finds the session of a browser. One that began with a certificate is there only as long as
     * the browser shows it, and it is the same operator's.
     */
    Sessions.@Nullable Session session(RequestHead head) {
        Sessions.Session found = byCookie(head);
        if (found == null || found.operator().certificate().isEmpty()) {
            return found;
        }
        return found.operator().equals(certified(head, found)) ? found : null;
    }

    /** Who the certificate says that it is, at the address where the session began. */
    private AuditActor certified(RequestHead head, Sessions.Session session) {
        AuditActor now = operators.judgeCertificate(head.connection()).actor();
        return new AuditActor(now.identity(), session.operator().address(), now.certificate());
    }

    private Sessions.@Nullable Session byCookie(RequestHead head) {
        for (String cookies : head.values("Cookie")) {
            for (String cookie : cookies.split(";", -1)) {
                if (cookie.strip().startsWith(COOKIE + "=")) {
                    return sessions.find(cookie.strip().substring(COOKIE.length() + 1));
                }
            }
        }
        return null;
    }

    /** The operator whose certificate a browser shows; empty for none. */
    String certified(RequestHead head) {
        OperatorAccess.Judgement judged = operators.judgeCertificate(head.connection());
        return judged.isAllowed() ? judged.actor().identity() : "";
    }

    /** Who has logged in, with the address that he has now. */
    static AuditActor actor(Sessions.Session session, RequestHead head) {
        AuditActor operator = session.operator();
        return new AuditActor(
                operator.identity(), head.connection().remoteText(), operator.certificate());
    }

    /** Lets somebody in; a field for his browser. */
    HeaderField letIn(AuditActor operator, boolean secure) {
        String id = sessions.open(operator).id();
        String flags = "; HttpOnly; SameSite=Strict" + (secure ? "; Secure" : "");
        return new HeaderField("Set-Cookie", COOKIE + "=" + id + flags);
    }

    /** Has somebody leave. */
    HeaderField letOut(Sessions.Session session) {
        sessions.close(session);
        return new HeaderField("Set-Cookie", COOKIE + "=; Max-Age=0");
    }
}
