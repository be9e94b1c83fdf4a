package org.lrwp.webapp.console;

import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.protocol.HeaderField;
import org.lrwp.webapp.inspector.Inspection;
import org.lrwp.webapp.inspector.Part;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** The part of the console with the requests that the inspector keeps. */
final class InspectorPart {
    private static final int MOST = 100;
    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);

    private InspectorPart() {}

    /**
     * Writes it; nothing when nothing is kept.
     *
     * @param repeat writes the form that repeats a request
     */
    static void write(Html html, List<Inspection> kept, Consumer<String> repeat) {
        if (kept.isEmpty()) {
            return;
        }
        html.raw("<section id=\"inspector\"><h2>Inspector</h2>");
        html.raw("<table>").columns("Time (UTC)", "Request", "Context", "Status", "Peer", "Took");
        html.raw("<tbody>");
        for (Inspection one : kept.subList(0, Math.min(MOST, kept.size()))) {
            row(html, one, repeat);
        }
        html.raw("</tbody></table>");
        if (kept.size() > MOST) {
            html.element("p", (kept.size() - MOST) + " more by the API", "class", "quiet");
        }
        html.close("section");
    }

    private static void row(Html html, Inspection one, Consumer<String> repeat) {
        html.raw("<tr>").cell("Time (UTC)", CLOCK.format(one.time()));
        html.raw("<td data-label=\"Request\">").text(one.method() + " " + one.target());
        String again = one.repeats().isEmpty() ? "" : ", repeats " + one.repeats();
        html.element("small", one.id() + " from " + one.client() + again);
        html.raw("<details><summary>Heads and bodies</summary>");
        message(html, "Request", one.fields(), one.body());
        message(html, "Answer", one.answerFields(), one.answerBody());
        html.raw("</details><div class=\"acts\">");
        repeat.accept(one.id());
        html.raw("</div></td>").cell("Context", one.context());
        ExchangeRecord end = one.end();
        if (end != null) {
            html.cell("Status", end.status() + " " + end.reason())
                    .cell("Peer", end.peer().isEmpty() ? "\u2013" : end.peer())
                    .number("Took", Charts.millis(end.totalNanos() / 1e6));
        }
        html.raw("</tr>");
    }

    private static void message(Html html, String title, List<HeaderField> fields, Part body) {
        StringBuilder text = new StringBuilder();
        fields.forEach(field -> text.append(field.name() + ": " + field.value() + "\n"));
        text.append('\n').append(body.text());
        html.element("h3", title + ", body of " + body.length() + " bytes");
        html.raw("<pre>");
        text.toString().lines().forEach(line -> html.text(line).raw("\n"));
        html.raw("</pre>");
        if (!body.isWhole()) {
            html.element("p", "The rest of the body was not kept.", "class", "quiet");
        }
    }
}
