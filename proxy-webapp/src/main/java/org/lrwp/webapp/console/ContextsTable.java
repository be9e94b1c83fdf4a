package org.lrwp.webapp.console;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.context.ContextStatus;
import org.lrwp.engine.context.Pause;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The contexts, with what becomes of their requests. */
final class ContextsTable {
    private static final Column CONTEXT = Column.wide("Context");
    private static final Column STATE = Column.of("State");
    private static final Column WAITING = Column.number("Waiting");
    private static final Column PEERS = Column.number("Peers");
    private static final Column ANSWERED = Column.number("Answered");
    private static final Column FAILED = Column.number("Failed");
    private static final Column REASONS = Column.of("Reasons");
    private static final Column ACTS = Column.acts();

    private static final Comparator<Map.Entry<String, Long>> FREQUENT =
            Map.Entry.<String, Long>comparingByValue()
                    .reversed()
                    .thenComparing(Map.Entry.comparingByKey());

    private final Html html;
    private final Forms forms;

    ContextsTable(Html html, Forms forms) {
        this.html = html;
        this.forms = forms;
    }

    /** What can be looked for. */
    static Stream<String> words(ContextStatus context) {
        return Stream.of(name(context), state(context));
    }

    private static String name(ContextStatus context) {
        return context.virtualHost() + context.context();
    }

    private static String state(ContextStatus context) {
        if (context.paused() != null) {
            return "paused";
        }
        return context.served() ? "served" : "no peer";
    }

    void write(List<ContextStatus> contexts) {
        Column[] usual = {CONTEXT, STATE, Slots.COLUMN, WAITING, PEERS, ANSWERED, FAILED, REASONS};
        html.table(forms.areWanted() ? with(usual) : usual);
        contexts.forEach(this::row);
        html.endTable();
        html.element(
                "p", "Answered and failed count since the start of the proxy.", "class", "quiet");
    }

    private static Column[] with(Column[] usual) {
        return Stream.concat(Stream.of(usual), Stream.of(ACTS)).toArray(Column[]::new);
    }

    private void row(ContextStatus context) {
        html.raw("<tr>").cell(CONTEXT).path(name(context));
        if (!context.sticky().isEmpty()) {
            html.element("small", "sticky: " + sticky(context));
        }
        html.close("td").cell(STATE);
        html.tag(state(context), state(context).equals("served") ? "good" : "bad");
        Pause pause = context.paused();
        if (pause != null) {
            html.element("small", pause.text());
        }
        html.close("td");
        Slots.cell(html, context.busy(), context.slots());
        long answered = context.outcomes().getOrDefault("answered", 0L);
        long all = context.outcomes().values().stream().mapToLong(Long::longValue).sum();
        html.cell(WAITING);
        Slots.warn(html, context.waiting());
        html.close("td")
                .cell(PEERS, context.connections())
                .cell(ANSWERED, Amounts.count(answered))
                .cell(FAILED, Amounts.count(all - answered))
                .cell(REASONS);
        reasons(context);
        html.close("td");
        if (forms.areWanted()) {
            html.cell(ACTS);
            acts(context, pause);
            html.close("td");
        }
        html.close("tr");
    }

    private static String sticky(ContextStatus context) {
        return Stream.of("home", "moved", "new")
                .map(place -> Amounts.count(context.sticky().getOrDefault(place, 0L)) + " " + place)
                .collect(Collectors.joining(", "));
    }

    /** Why requests failed, the most frequent first. */
    private void reasons(ContextStatus context) {
        Map<String, Long> failed = new HashMap<>(context.outcomes());
        failed.remove("answered");
        failed.entrySet().stream()
                .filter(one -> one.getValue() > 0)
                .sorted(FREQUENT)
                .forEach(
                        one -> {
                            String text = one.getKey() + " " + Amounts.count(one.getValue());
                            html.element("small", text, "class", "whole");
                        });
    }

    private void acts(ContextStatus context, @Nullable Pause pause) {
        if (pause != null) {
            forms.open("resume", "inline");
            of(context);
            html.element("button", "Resume", "aria-label", "Resume " + name(context));
            forms.close();
            return;
        }
        forms.unfold("Pause", name(context), "pause");
        of(context);
        forms.field("Text for clients", "name", "text", "maxlength", 500);
        forms.field(
                "Retry after, in seconds",
                "name",
                "retryAfter",
                "inputmode",
                "numeric",
                "value",
                30);
        forms.button("Pause " + name(context), "bad");
        forms.fold();
    }

    private void of(ContextStatus context) {
        forms.hidden("context", context.context());
        forms.hidden("virtualHost", context.virtualHost());
    }
}
