package org.lrwp.webapp.console;

import org.jspecify.annotations.Nullable;
import org.lrwp.cluster.ClusterStatus;
import org.lrwp.engine.EngineStatus;
import org.lrwp.webapp.steering.Traffic;
import org.lrwp.webapp.steering.View;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The one page of the console, whole or its moving parts. Made for one request. */
final class ConsolePage {
    private final View view;
    private final Viewer viewer;
    private final Html html = new Html();
    private final Forms forms;

    /**
     * Who sees it, and what of it.
     *
     * @param session null for somebody who has not logged in
     * @param certified the operator whose certificate the browser shows; empty for none
     * @param canLogIn whether there is a token at all
     * @param find the rows that are looked for
     */
    record Viewer(
            Sessions.@Nullable Session session, String certified, boolean canLogIn, Find find) {}

    /** Begins a page. */
    ConsolePage(View view, Viewer viewer) {
        this.view = view;
        this.viewer = viewer;
        this.forms = new Forms(html, viewer.session(), viewer.find());
    }

    /** The whole page, with what became of the last command. */
    String whole(Sessions.Message message) {
        ClusterStatus cluster = view.cluster().get();
        String node = cluster.enabled() ? cluster.node() : "";
        html.raw("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">")
                .raw("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">")
                .raw("<meta name=\"color-scheme\" content=\"light dark\">")
                .element("title", node.isEmpty() ? "LRWP proxy" : node + " \u2013 LRWP proxy")
                .raw("<link rel=\"icon\" href=\"data:,\">")
                .raw("<link rel=\"stylesheet\" href=\"console.css\">")
                .raw("<script src=\"console.js\" defer></script></head><body>")
                .raw("<a class=\"skip\" href=\"#main\">To the contents</a>");
        new HeaderPart(html, forms)
                .write(node, viewer.session(), viewer.certified(), viewer.canLogIn());
        new Navigation(html).write(viewer.find());
        html.raw("<main id=\"main\">");
        if (!message.text().isEmpty()) {
            String style = message.isGood() ? "message" : "message bad";
            html.element("p", message.text(), "class", style, "role", "status");
        }
        parts();
        inspector();
        configuration();
        return html.raw("</main><footer><p>")
                .raw("<a href=\"status\">Status</a> <a href=\"metrics\">Metrics</a>")
                .raw(" <a href=\"api/v1/openapi.json\">API</a></p></footer></body></html>")
                .toString();
    }

    /** What changes by itself. */
    String moving() {
        parts();
        return html.toString();
    }

    private void parts() {
        EngineStatus status = view.engine().status();
        html.raw("<section id=\"summary\" aria-label=\"Summary\" data-live=\"\">");
        new SummaryPart(html, view).write(status);
        html.close("section");
        List<Traffic.Sample> samples = view.traffic().samples();
        begin(Section.TRAFFIC, "");
        html.raw("<div class=\"charts\">");
        OutcomeChart.write(html, samples);
        LatencyChart.write(html, samples);
        html.close("div").close("section");
        tables(status);
        begin(Section.CACHE, "");
        if (status.cache().isEmpty()) {
            none("There is none.");
        } else {
            new CachePart(html, forms).write(status.cache());
        }
        html.close("section");
        begin(Section.CLUSTER, "");
        new ClusterTable(html, forms).write(view.cluster().get(), status);
        html.close("section");
    }

    private void tables(EngineStatus status) {
        rows(
                Section.CONTEXTS,
                status.contexts(),
                ContextsTable::words,
                "No peer has registered a context yet.",
                new ContextsTable(html, forms)::write);
        Set<String> ejected =
                status.contexts().stream()
                        .flatMap(context -> context.ejected().stream())
                        .collect(Collectors.toSet());
        rows(
                Section.PEERS,
                status.peers(),
                PeersTable::words,
                "No peer has dialled in. They dial in to " + status.agentAddress() + ".",
                new PeersTable(html, forms, ejected)::write);
        var requests = new RequestsTable(html, forms, view.inspector()::shown);
        rows(
                Section.REQUESTS,
                status.exchanges(),
                requests::words,
                "Nothing is in flight.",
                requests::write);
        var errors = new ErrorsTable(html, view.inspector()::shown);
        rows(
                Section.ERRORS,
                view.errors().all(),
                errors::words,
                "No request has failed.",
                errors::write);
    }

    private void inspector() {
        begin(Section.INSPECTOR, "");
        if (viewer.session() == null) {
            none("Only those who have logged in see requests here.");
        } else {
            InspectorPart.write(
                    html, view.inspector().all(), id -> forms.command("repeat", "Repeat", id));
        }
        html.close("section");
    }

    private void configuration() {
        var part = new ConfigurationPart(html, forms);
        rows(
                Section.CONFIGURATION,
                view.configuration().values().entries(),
                entry -> Stream.of(entry.name(), entry.text(), entry.meaning()),
                "",
                found -> part.write(found, viewer.find().isAll()));
    }

    private void begin(Section section, String count) {
        if (section.isLive()) {
            html.open("section", "id", section.id(), "data-live", "");
        } else {
            html.open("section", "id", section.id());
        }
        html.raw("<h2>").text(section.title());
        if (!count.isEmpty()) {
            html.raw(" ").element("small", count);
        }
        html.close("h2");
    }

    /** A section of rows, of which those that are looked for are shown. */
    private <T> void rows(
            Section section,
            List<T> all,
            Function<T, Stream<String>> words,
            String empty,
            Consumer<List<T>> write) {
        List<T> found = viewer.find().in(all, words);
        String count = Amounts.count(found.size());
        boolean every = found.size() == all.size();
        begin(section, every ? count : count + " of " + Amounts.count(all.size()));
        if (all.isEmpty()) {
            none(empty);
        } else if (found.isEmpty()) {
            none("No row has \u201c" + viewer.find().text() + "\u201d.");
        } else {
            write.accept(found);
        }
        html.close("section");
    }

    private void none(String text) {
        html.element("p", text, "class", "empty");
    }
}
