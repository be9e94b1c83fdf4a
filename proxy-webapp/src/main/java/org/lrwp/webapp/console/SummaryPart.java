package org.lrwp.webapp.console;

import org.lrwp.engine.EngineStatus;
import org.lrwp.engine.context.ContextStatus;
import org.lrwp.webapp.steering.Traffic;
import org.lrwp.webapp.steering.View;

import java.util.List;

/** How the proxy does, in a line. */
final class SummaryPart {
    private static final String RUNNING = "running";

    private final Html html;
    private final View view;

    SummaryPart(Html html, View view) {
        this.html = html;
        this.view = view;
    }

    void write(EngineStatus status) {
        String state = state(status);
        boolean well = state.equals(RUNNING);
        int waiting = status.contexts().stream().mapToInt(ContextStatus::waiting).sum();
        List<Traffic.Sample> samples = view.traffic().samples();
        long failed = samples.stream().mapToLong(Traffic.Sample::serverErrors).sum();
        html.raw("<dl class=\"summary\"><div><dt>State</dt><dd>")
                .tag(state, well ? "good" : "bad")
                .raw("</dd></div>");
        fact("Requests", now(samples), "");
        fact("In flight", Amounts.count(status.exchanges().size()), "");
        fact("Waiting for a slot", Amounts.count(waiting), waiting == 0 ? "" : "warn");
        fact("5xx, last hour", Amounts.count(failed), failed == 0 ? "" : "bad");
        fact("Running for", Amounts.age(view.uptime().get()), "");
        fact("Version", view.version(), "");
        html.close("dl");
        String refusal = view.configuration().refusal();
        if (!refusal.isEmpty()) {
            html.element(
                    "p", "The file of the configuration is not in use: " + refusal, "class", "bad");
        }
    }

    /** What the last sample has. */
    private static String now(List<Traffic.Sample> samples) {
        double seconds = Traffic.STEP.toSeconds();
        long requests = samples.isEmpty() ? 0 : samples.getLast().requests();
        return Amounts.rate(requests / seconds) + " per second";
    }

    private void fact(String name, Object value, String style) {
        html.raw("<div>").element("dt", name).element("dd", value, "class", style).close("div");
    }

    private static String state(EngineStatus status) {
        if (status.draining()) {
            return "draining";
        } else if (!status.listening()) {
            return "not listening";
        }
        return status.drained() ? "drained" : RUNNING;
    }
}
