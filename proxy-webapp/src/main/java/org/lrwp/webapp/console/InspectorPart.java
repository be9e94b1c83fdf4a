package org.lrwp.webapp.console;

import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.protocol.HeaderField;
import org.lrwp.webapp.inspector.Inspection;
import org.lrwp.webapp.inspector.Part;

import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.function.Consumer;

/** The part of the console with the requests that the inspector keeps. */
final class InspectorPart {
    private static final int MOST = 100;
    private static final DateTimeFormatter CLOCK = Amounts.utc("HH:mm:ss.SSS");

    private static final Column TIME = Column.word("Time (UTC)");
    private static final Column REQUEST = Column.wide("Request");
    private static final Column CONTEXT = Column.wide("Context");
    private static final Column STATUS = Column.of("Status");
    private static final Column PEER = Column.wide("Peer");
    private static final Column TOOK = Column.number("Took");
    private static final Column ACTS = Column.acts();

    private InspectorPart() {}

    /**
     * Writes it.
     *
     * @param repeat writes the form that repeats a request
     */
    static void write(Html html, List<Inspection> kept, Consumer<String> repeat) {
        if (kept.isEmpty()) {
            html.element(
                    "p",
                    "No request is kept. context./NAME.inspect = 50 keeps the last 50 of /NAME.",
                    "class",
                    "empty");
            return;
        }
        html.table(TIME, REQUEST, CONTEXT, STATUS, PEER, TOOK, ACTS);
        for (Inspection one : kept.subList(0, Math.min(MOST, kept.size()))) {
            row(html, one, repeat);
        }
        html.endTable();
        if (kept.size() > MOST) {
            html.element(
                    "p", Amounts.count(kept.size() - MOST) + " more by the API.", "class", "quiet");
        }
    }

    private static void row(Html html, Inspection one, Consumer<String> repeat) {
        html.raw("<tr>").cell(TIME, CLOCK.format(one.time())).cell(REQUEST);
        html.path(one.method() + " " + one.target());
        String again = one.repeats().isEmpty() ? "" : ", repeats " + one.repeats();
        html.element("small", one.id() + " from " + one.client() + again);
        html.raw("<details><summary>Heads and bodies</summary>");
        message(html, "Request", one.fields(), one.body());
        message(html, "Answer", one.answerFields(), one.answerBody());
        html.raw("</details></td>").cell(CONTEXT).path(one.context());
        html.close("td");
        ExchangeRecord end = one.end();
        html.cell(STATUS, end == null ? Amounts.NONE : end.status() + " " + end.reason())
                .cell(PEER, end == null ? Amounts.NONE : Amounts.orNone(end.peer()))
                .cell(TOOK, end == null ? Amounts.NONE : Amounts.millis(end.totalNanos() / 1e6))
                .cell(ACTS);
        repeat.accept(one.id());
        html.raw("</td></tr>");
    }

    private static void message(Html html, String title, List<HeaderField> fields, Part body) {
        StringBuilder text = new StringBuilder();
        fields.forEach(field -> text.append(field.name() + ": " + field.value() + "\n"));
        text.append('\n').append(body.text());
        html.element("h3", title + ", body of " + Amounts.bytes(body.length()));
        html.raw("<pre>");
        text.toString().lines().forEach(line -> html.text(line).raw("\n"));
        html.raw("</pre>");
        if (!body.isWhole()) {
            html.element("p", "The rest of the body was not kept.", "class", "quiet");
        }
    }
}
