package org.lrwp.webapp.console;

import org.lrwp.engine.exchange.ExchangeState;
import org.lrwp.engine.exchange.ExchangeStatus;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The requests in flight, the oldest first. */
final class RequestsTable {
    private static final int MOST = 200;

    private static final Column REQUEST = Column.wide("Request");
    private static final Column CONTEXT = Column.wide("Context");
    private static final Column PHASE = Column.of("Phase");
    private static final Column PEER = Column.wide("Peer");
    private static final Column AGE = Column.number("Age");
    private static final Column ACTS = Column.acts();

    private final Html html;
    private final UnaryOperator<String> shown;
    private final Forms forms;

    /**
     * Writes to a page.
     *
     * @param shown makes of a target what may be shown
     */
    RequestsTable(Html html, Forms forms, UnaryOperator<String> shown) {
        this.html = html;
        this.shown = shown;
        this.forms = forms;
    }

    private String line(ExchangeStatus request) {
        return request.method() + " " + shown.apply(request.target());
    }

    /** What can be looked for. */
    Stream<String> words(ExchangeStatus request) {
        return Stream.of(
                request.id(), request.context(), line(request), phase(request), request.peer());
    }

    private static String phase(ExchangeStatus request) {
        return request.state().name().toLowerCase(Locale.ROOT);
    }

    void write(List<ExchangeStatus> requests) {
        Column[] usual = {REQUEST, CONTEXT, PHASE, PEER, AGE};
        Column[] all = {REQUEST, CONTEXT, PHASE, PEER, AGE, ACTS};
        html.table(forms.areWanted() ? all : usual);
        requests.subList(0, Math.min(MOST, requests.size())).forEach(this::row);
        html.endTable();
        if (requests.size() > MOST) {
            String more = Amounts.count(requests.size() - MOST) + " more, which are younger.";
            html.element("p", more, "class", "quiet");
        }
        html.element(
                "p",
                "receiving: its body comes in; queued: waits for a slot; sent: a peer has it;"
                        + " answering: the answer goes to the client; tunnel: open both ways.",
                "class",
                "quiet");
    }

    private void row(ExchangeStatus request) {
        html.raw("<tr>")
                .cell(REQUEST)
                .path(line(request))
                .element("small", request.id())
                .close("td")
                .cell(CONTEXT)
                .path(request.context())
                .close("td")
                .cell(PHASE)
                .tag(phase(request), request.state() == ExchangeState.QUEUED ? "warn" : "")
                .close("td")
                .cell(PEER, Amounts.orNone(request.peer()))
                .cell(AGE, Amounts.age(Duration.ofNanos(request.ageNanos())));
        if (forms.areWanted()) {
            html.cell(ACTS);
            forms.command("cancel", "Cancel", request.id());
            html.close("td");
        }
        html.close("tr");
    }
}
