package org.lrwp.webapp.console;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.EngineStatus;
import org.lrwp.engine.context.ContextStatus;
import org.lrwp.engine.context.Pause;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.exchange.ExchangeStatus;
import org.lrwp.engine.peer.PeerStatus;
import org.lrwp.engine.peer.PeerWeight;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.runtime.configuration.Entry;
import org.lrwp.webapp.steering.RecentErrors;
import org.lrwp.webapp.steering.Traffic;
import org.lrwp.webapp.steering.View;

import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The one page of the console, whole or its moving parts. Made for one request. */
final class ConsolePage {
    private static final int MOST_REQUESTS = 200;
    private static final int MOST_ERRORS = 20;
    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final View view;
    private final Sessions.@Nullable Session session;
    private final boolean canLogIn;
    private final Html html = new Html();

    /**
     * Begins a page.
     *
     * @param session who sees it; null for somebody who has not logged in
     * @param canLogIn whether there is a token at all
     */
    ConsolePage(View view, Sessions.@Nullable Session session, boolean canLogIn) {
        this.view = view;
        this.session = session;
        this.canLogIn = canLogIn;
    }

    /** The whole page, with a sentence on what became of the last command. */
    String whole(String message) {
        html.raw("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">")
                .raw("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">")
                .raw("<meta name=\"color-scheme\" content=\"light dark\">")
                .raw("<title>LRWP proxy</title><link rel=\"icon\" href=\"data:,\">")
                .raw("<link rel=\"stylesheet\" href=\"console.css\">")
                .raw("<script src=\"console.js\" defer></script></head><body>")
                .raw("<a class=\"skip\" href=\"#main\">To the contents</a><header>")
                .raw("<h1>LRWP proxy</h1>");
        logIn();
        html.raw("</header><main id=\"main\">");
        if (!message.isEmpty()) {
            html.element("p", message, "class", "message", "role", "status");
        }
        parts();
        if (session != null) {
            InspectorPart.write(
                    html, view.inspector().all(), id -> command("repeat", "Repeat", id));
        }
        configuration();
        return html.raw("</main><footer><p>")
                .raw("<a href=\"status\">status</a> <a href=\"api/v1/openapi.json\">API</a> ")
                .raw("<span id=\"live\">Reload for news.</span></p></footer></body></html>")
                .toString();
    }

    /** What changes by itself. */
    String moving() {
        parts();
        return html.toString();
    }

    private void parts() {
        EngineStatus status = view.engine().status();
        begin("summary", "");
        summary(status);
        end();
        begin("traffic", "The last hour");
        List<Traffic.Sample> samples = view.traffic().samples();
        html.raw("<div class=\"charts\">");
        Charts.outcomes(html.raw("<div>"), samples);
        Charts.latency(html.raw("</div><div>"), samples);
        html.raw("</div></div>");
        end();
        begin("contexts", "Contexts");
        contexts(status.contexts());
        end();
        begin("peers", "Peers");
        peers(
                status.peers(),
                status.contexts().stream()
                        .flatMap(context -> context.ejected().stream())
                        .collect(Collectors.toSet()));
        end();
        begin("requests", "Requests in flight");
        requests(status.exchanges());
        end();
        begin("errors", "Last errors");
        errors(view.errors().all());
        end();
        begin("cache", "Response cache");
        cache(status);
        end();
        begin("cluster", "Cluster");
        ClusterTable.write(html, view.cluster().get());
        end();
    }

    private void begin(String id, String title) {
        html.open("section", "id", id, "data-live", "");
        if (!title.isEmpty()) {
            html.element("h2", title);
        }
    }

    private void end() {
        html.close("section");
    }

    // ---- The parts.

    private void logIn() {
        if (session != null) {
            html.element("span", session.operator(), "class", "quiet").raw(" ");
            form("logout", "inline");
            button("Log out", "quiet");
            html.close("form");
        } else if (canLogIn) {
            html.raw("<form method=\"post\" action=\"login\" class=\"inline\">")
                    .raw("<label for=\"token\">Token</label><input id=\"token\" name=\"token\"")
                    .raw(" type=\"password\" autocomplete=\"current-password\" required>")
                    .raw("<button>Log in</button></form>");
        } else {
            html.element("p", "For reading: admin.token-file is not set.", "class", "quiet");
        }
    }

    private void summary(EngineStatus status) {
        boolean well = status.listening() && !status.draining();
        html.raw("<dl class=\"summary\">");
        fact("State", status.draining() ? "draining" : well ? "running" : "not listening", well);
        fact("Requests in flight", status.exchanges().size(), true);
        int waiting = status.contexts().stream().mapToInt(ContextStatus::waiting).sum();
        fact("Waiting", waiting, waiting == 0);
        fact("Peers", status.peers().size(), !status.peers().isEmpty());
        fact("Contexts", status.contexts().size(), true);
        fact("Running for", age(view.uptime().get()), true);
        fact("Version", view.version(), true);
        html.raw("</dl>");
        String refusal = view.configuration().refusal();
        if (!refusal.isEmpty()) {
            html.element(
                    "p", "The file of the configuration is not in use: " + refusal, "class", "bad");
        }
    }

    private void fact(String name, Object value, boolean well) {
        html.raw("<div>").element("dt", name);
        html.element("dd", value, "class", well ? "" : "bad").raw("</div>");
    }

    private void contexts(List<ContextStatus> contexts) {
        if (contexts.isEmpty()) {
            html.element("p", "No peer has registered a context yet.", "class", "empty");
            return;
        }
        html.raw("<table>")
                .columns(
                        "Context", "State", "Busy slots", "Waiting", "Peers", "Answered", "Failed");
        html.raw("<tbody>");
        for (ContextStatus context : contexts) {
            html.raw("<tr><td data-label=\"Context\">")
                    .text(context.virtualHost() + context.context());
            if (!context.sticky().isEmpty()) {
                html.element("small", "sticky: " + sticky(context));
            }
            html.raw("</td>");
            Pause pause = context.paused();
            String state = pause != null ? "paused" : context.served() ? "served" : "no peer";
            html.raw("<td data-label=\"State\">")
                    .element(
                            "span",
                            state,
                            "class",
                            "tag " + (state.equals("served") ? "good" : "bad"));
            pauseForm(context, pause);
            html.raw("</td>");
            slots(context.busy(), context.slots());
            long answered = context.outcomes().getOrDefault("answered", 0L);
            long all = context.outcomes().values().stream().mapToLong(Long::longValue).sum();
            html.number("Waiting", context.waiting())
                    .number("Peers", context.connections())
                    .number("Answered", answered);
            html.open("td", "data-label", "Failed", "class", all > answered ? "n bad" : "n");
            html.open("span", "title", words(context))
                    .text(all - answered)
                    .raw("</span></td></tr>");
        }
        html.raw("</tbody></table>");
    }

    private static String sticky(ContextStatus context) {
        return Stream.of("home", "moved", "new")
                .map(place -> context.sticky().getOrDefault(place, 0L) + " " + place)
                .collect(Collectors.joining(", "));
    }

    private static String words(ContextStatus context) {
        return context.outcomes().entrySet().stream()
                .filter(one -> !one.getKey().equals("answered"))
                .map(one -> one.getKey() + " " + one.getValue())
                .collect(Collectors.joining(", "));
    }

    private void pauseForm(ContextStatus context, @Nullable Pause pause) {
        if (pause != null) {
            html.element("p", pause.text(), "class", "quiet");
        }
        if (session == null) {
            return;
        }
        if (pause == null) {
            html.raw("<details><summary>Pause</summary>");
        }
        form(pause == null ? "pause" : "resume", "stack");
        hidden("context", context.context());
        hidden("virtualHost", context.virtualHost());
        if (pause == null) {
            html.raw("<label>Text for clients <input name=\"text\" maxlength=\"500\"></label>")
                    .raw("<label>Retry after, in seconds <input name=\"retryAfter\"")
                    .raw(" inputmode=\"numeric\" value=\"30\"></label>");
            button("Pause", "bad");
            html.raw("</form></details>");
        } else {
            button("Resume", "");
            html.raw("</form>");
        }
    }

    private void slots(int busy, int slots) {
        html.raw("<td data-label=\"Busy slots\" class=\"n\">").text(busy + " of " + slots);
        html.open("meter", "min", 0, "max", Math.max(1, slots), "value", busy).raw("</meter></td>");
    }

    private void peers(List<PeerStatus> peers, Set<String> ejected) {
        if (peers.isEmpty()) {
            html.element("p", "No peer has dialled in.", "class", "empty");
            return;
        }
        html.raw("<table>");
        html.columns(
                "Peer", "Contexts", "Identity", "State", "Busy slots", "Served", "Age", "LRWP");
        html.raw("<tbody>");
        for (PeerStatus peer : peers) {
            html.raw("<tr><td data-label=\"Peer\">").text(peer.name());
            peerForms(peer);
            html.raw("</td>")
                    .cell(
                            "Contexts",
                            peer.contexts().stream()
                                    .map(ConsolePage::name)
                                    .collect(Collectors.joining(", ")))
                    .cell("Identity", peer.identity().isEmpty() ? "\u2013" : peer.identity());
            html.raw("<td data-label=\"State\">");
            html.element(
                    "span",
                    peer.state(),
                    "class",
                    "tag " + (peer.state().equals("draining") ? "bad" : "good"));
            if (!peer.stuck().isEmpty()) {
                html.element("span", peer.stuck().size() + " stuck", "class", "tag bad");
            }
            if (peer.weight() != PeerWeight.USUAL) {
                html.element("span", "weight " + peer.weight(), "class", "tag");
            }
            if (ejected.contains(peer.name())) {
                html.element("span", "ejected", "class", "tag bad");
            }
            html.raw("</td>");
            slots(peer.busy(), peer.capacity());
            html.number("Served", peer.served())
                    .number("Age", age(Duration.ofNanos(peer.ageNanos())))
                    .cell("LRWP", peer.version())
                    .raw("</tr>");
        }
        html.raw("</tbody></table>");
    }

    private static String name(ServedContext served) {
        return served.virtualHost() + served.context();
    }

    private void peerForms(PeerStatus peer) {
        if (session != null) {
            html.raw("<div class=\"acts\">");
            command("drain", "Drain", peer.name());
            command("disconnect", "Disconnect", peer.name());
            weightForm(peer);
            html.raw("</div>");
        }
    }

    private void weightForm(PeerStatus peer) {
        html.raw("<details><summary>Weigh</summary>");
        form("weigh", "inline");
        hidden("subject", peer.name());
        html.open(
                        "input",
                        "name",
                        "value",
                        "inputmode",
                        "numeric",
                        "value",
                        peer.weight(),
                        "aria-label",
                        "Weight of " + peer.name())
                .raw("<button>Set</button></form></details>");
    }

    private void command(String action, String label, String subject) {
        form(action, "inline");
        hidden("subject", subject);
        html.open("button", "class", "quiet", "aria-label", label + " " + subject)
                .text(label)
                .raw("</button></form>");
    }

    private void requests(List<ExchangeStatus> requests) {
        if (requests.isEmpty()) {
            html.element("p", "Nothing is in flight.", "class", "empty");
            return;
        }
        html.raw("<table>").columns("Request", "Context", "Phase", "Peer", "Age").raw("<tbody>");
        for (ExchangeStatus request :
                requests.subList(0, Math.min(MOST_REQUESTS, requests.size()))) {
            html.raw("<tr><td data-label=\"Request\">")
                    .text(request.method() + " " + request.target())
                    .element("small", request.id());
            if (session != null) {
                html.raw("<div class=\"acts\">");
                command("cancel", "Cancel", request.id());
                html.raw("</div>");
            }
            html.raw("</td>")
                    .cell("Context", request.context())
                    .cell("Phase", request.state().name().toLowerCase(Locale.ROOT))
                    .cell("Peer", request.peer().isEmpty() ? "\u2013" : request.peer())
                    .number("Age", age(Duration.ofNanos(request.ageNanos())))
                    .raw("</tr>");
        }
        html.raw("</tbody></table>");
        if (requests.size() > MOST_REQUESTS) {
            html.element("p", (requests.size() - MOST_REQUESTS) + " more", "class", "quiet");
        }
    }

    private void errors(List<RecentErrors.Failed> errors) {
        if (errors.isEmpty()) {
            html.element("p", "No request has failed.", "class", "empty");
            return;
        }
        int shown = Math.min(MOST_ERRORS, errors.size());
        errorTable(errors.subList(0, shown));
        if (shown < errors.size()) {
            html.raw("<details><summary>Earlier ones</summary>");
            errorTable(errors.subList(shown, errors.size()));
            html.raw("</details>");
        }
    }

    private void errorTable(List<RecentErrors.Failed> errors) {
        html.raw("<table>")
                .columns("Time (UTC)", "Reason", "Status", "Request", "Context", "Peer", "Took");
        html.raw("<tbody>");
        for (RecentErrors.Failed failed : errors) {
            ExchangeRecord one = failed.exchange();
            html.raw("<tr>")
                    .cell("Time (UTC)", CLOCK.format(failed.time()))
                    .cell("Reason", one.reason())
                    .number("Status", one.status() == 0 ? "\u2013" : one.status())
                    .raw("<td data-label=\"Request\">")
                    .text(one.method() + " " + one.target())
                    .element("small", one.id() + " from " + one.client())
                    .raw("</td>")
                    .cell("Context", one.context().isEmpty() ? "\u2013" : one.context())
                    .cell("Peer", one.peer().isEmpty() ? "\u2013" : one.peer())
                    .number("Took", Charts.millis(one.totalNanos() / 1e6))
                    .raw("</tr>");
        }
        html.raw("</tbody></table>");
    }

    private void cache(EngineStatus status) {
        if (status.cache().isEmpty()) {
            html.element("p", "There is none.", "class", "empty");
            return;
        }
        html.raw("<dl class=\"summary\">");
        status.cache().forEach((name, value) -> fact(name, value, true));
        html.raw("</dl>");
        if (session != null) {
            form("purge", "inline");
            html.raw(
                    "<label>Prefix <input name=\"prefix\" placeholder=\"host:port/path\"></label>");
            button("Purge", "bad");
            html.raw("</form>");
        }
    }

    private void configuration() {
        html.raw("<section id=\"configuration\"><h2>Configuration</h2>");
        List<Entry> entries = view.configuration().values().entries();
        boolean set = table(entries.stream().filter(ConsolePage::isSet).toList());
        if (!set) {
            html.element("p", "Every value is the default.", "class", "empty");
        }
        html.raw("<details><summary>All values</summary>");
        table(entries);
        html.raw("</details></section>");
    }

    private static boolean isSet(Entry entry) {
        return !entry.origin().toString().equals("default");
    }

    private boolean table(List<Entry> entries) {
        if (entries.isEmpty()) {
            return false;
        }
        html.raw("<table>").columns("Key", "Value", "From", "Meaning").raw("<tbody>");
        for (Entry entry : entries) {
            html.raw("<tr>").cell("Key", entry.name()).raw("<td data-label=\"Value\">");
            html.element("code", entry.text().isEmpty() ? "\u2013" : entry.text());
            if (session != null && entry.live()) {
                valueForms(entry);
            }
            html.raw("</td>").cell("From", entry.origin().toString());
            html.raw("<td data-label=\"Meaning\">")
                    .text(entry.meaning())
                    .element("small", entry.allowed() + (entry.live() ? "" : "; at the start"))
                    .raw("</td></tr>");
        }
        html.raw("</tbody></table>");
        return true;
    }

    private void valueForms(Entry entry) {
        html.raw("<details><summary>Set</summary>");
        form("set", "inline");
        hidden("subject", entry.name());
        html.open(
                        "input",
                        "name",
                        "value",
                        "value",
                        entry.text(),
                        "aria-label",
                        "New value of " + entry.name())
                .raw("<button>Set</button></form></details>");
        if (entry.origin().isPassing()) {
            command("unset", "Take back", entry.name());
        }
    }

    // ---- Forms.

    private void form(String action, String style) {
        html.open("form", "method", "post", "action", action, "class", style);
        Sessions.Session known = session;
        hidden("form", known == null ? "" : known.form());
    }

    private void hidden(String name, String value) {
        html.open("input", "type", "hidden", "name", name, "value", value);
    }

    private void button(String label, String style) {
        html.element("button", label, "class", style);
    }

    private static String age(Duration age) {
        if (age.toMillis() < 1000) {
            return age.toMillis() + " ms";
        } else if (age.toSeconds() < 120) {
            return age.toSeconds() + " s";
        } else if (age.toMinutes() < 120) {
            return age.toMinutes() + " min";
        }
        Duration whole = age.truncatedTo(ChronoUnit.HOURS);
        return whole.toHours() < 48 ? whole.toHours() + " h" : whole.toDays() + " d";
    }
}
