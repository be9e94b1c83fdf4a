package org.lrwp.webapp.operations;

import com.fasterxml.jackson.core.JsonGenerator;

import org.lrwp.engine.audit.AuditActor;
import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.runtime.json.Json;

import java.io.IOException;
import java.time.Instant;
import java.util.Locale;

/**
 * A line of the audit log.
 *
 * @param time when it was decided
 * @param policy version of the policy by which
 * @param event what was decided
 * @param omitted refusals before it that have no line
 */
record AuditLine(Instant time, String policy, AuditEvent event, long omitted) {
    /**
     * The line as text.
     *
     * @param dated whether with the time; a logger adds it by itself
     */
    String text(boolean dated) {
        AuditActor actor = event.actor();
        return "audit "
                + (dated ? "time=" + time + " " : "")
                + "action="
                + event.word()
                + " wanted="
                + wanted()
                + " verdict="
                + verdict()
                + " identity=\""
                + Escaper.escape(actor.identity())
                + "\" address="
                + orDash(actor.address())
                + " certificate="
                + orDash(actor.certificate())
                + " subject=\""
                + Escaper.escape(event.subject())
                + "\" policy="
                + orDash(policy)
                + " detail=\""
                + Escaper.escape(event.detail())
                + "\""
                + (omitted > 0 ? " omitted=" + omitted : "");
    }

    /**
     * The line as a JSON object.
     *
     * @param dated as for text
     */
    String json(boolean dated) {
        return Json.object(line -> write(line, dated));
    }

    private void write(JsonGenerator line, boolean dated) throws IOException {
        AuditActor actor = event.actor();
        line.writeStringField("event", "audit");
        if (dated) {
            line.writeStringField("time", time.toString());
        }
        line.writeStringField("action", event.word());
        line.writeStringField("wanted", wanted());
        line.writeStringField("verdict", verdict());
        line.writeStringField("identity", Escaper.escape(actor.identity()));
        line.writeStringField("address", orDash(actor.address()));
        line.writeStringField("certificate", orDash(actor.certificate()));
        line.writeStringField("subject", Escaper.escape(event.subject()));
        line.writeStringField("policy", orDash(policy));
        line.writeStringField("detail", Escaper.escape(event.detail()));
        if (omitted > 0) {
            line.writeNumberField("omitted", omitted);
        }
    }

    private String wanted() {
        return event.action().name().toLowerCase(Locale.ROOT);
    }

    private String verdict() {
        return event.verdict().name().toLowerCase(Locale.ROOT);
    }

    private static String orDash(String text) {
        return text.isEmpty() ? "-" : Escaper.escape(text);
    }
}
