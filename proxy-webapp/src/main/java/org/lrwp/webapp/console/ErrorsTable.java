package org.lrwp.webapp.console;

import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.webapp.steering.RecentErrors;

import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The last requests that failed, the latest first. */
final class ErrorsTable {
    private static final int MOST = 20;

    private static final DateTimeFormatter DAY = Amounts.utc("uuuu-MM-dd");

    private static final Column TIME = Column.word("Time (UTC)");
    private static final Column REASON = Column.word("Reason");
    private static final Column STATUS = Column.number("Status");
    private static final Column REQUEST = Column.wide("Request");
    private static final Column CONTEXT = Column.wide("Context");
    private static final Column PEER = Column.wide("Peer");
    private static final Column TOOK = Column.number("Took");

    private final Html html;
    private final UnaryOperator<String> shown;

    /**
     * Writes to a page.
     *
     * @param shown makes of a target what may be shown
     */
    ErrorsTable(Html html, UnaryOperator<String> shown) {
        this.html = html;
        this.shown = shown;
    }

    private String request(ExchangeRecord one) {
        return one.method() + " " + shown.apply(one.target());
    }

    /** What can be looked for. */
    Stream<String> words(RecentErrors.Failed failed) {
        ExchangeRecord one = failed.exchange();
        return Stream.of(
                one.id(), one.reason(), request(one), one.context(), one.peer(), one.client());
    }

    void write(List<RecentErrors.Failed> errors) {
        int most = Math.min(MOST, errors.size());
        table(errors.subList(0, most));
        if (most < errors.size()) {
            String earlier = Amounts.count(errors.size() - most) + " earlier";
            html.raw("<details>").element("summary", earlier);
            table(errors.subList(most, errors.size()));
            html.close("details");
        }
    }

    private void table(List<RecentErrors.Failed> errors) {
        html.table(TIME, REASON, STATUS, REQUEST, CONTEXT, PEER, TOOK);
        for (RecentErrors.Failed failed : errors) {
            ExchangeRecord one = failed.exchange();
            html.raw("<tr>")
                    .cell(TIME)
                    .text(Amounts.clock(failed.time()))
                    .element("small", DAY.format(failed.time()))
                    .close("td")
                    .cell(REASON, one.reason())
                    .cell(STATUS, one.status() == 0 ? Amounts.NONE : one.status())
                    .cell(REQUEST)
                    .path(request(one))
                    .element("small", one.id() + " from " + one.client())
                    .close("td")
                    .cell(CONTEXT)
                    .path(Amounts.orNone(one.context()))
                    .close("td")
                    .cell(PEER, Amounts.orNone(one.peer()))
                    .cell(TOOK, Amounts.millis(one.totalNanos() / 1e6))
                    .close("tr");
        }
        html.endTable();
    }
}
