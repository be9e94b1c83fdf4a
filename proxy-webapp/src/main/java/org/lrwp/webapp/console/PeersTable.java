package org.lrwp.webapp.console;

import org.lrwp.engine.peer.PeerStatus;
import org.lrwp.engine.peer.PeerWeight;
import org.lrwp.engine.peer.ServedContext;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The peers, one row for each connection. */
final class PeersTable {
    private static final int MOST_CONTEXTS = 5;

    private static final Column PEER = Column.wide("Peer");
    private static final Column CONTEXTS = Column.wide("Contexts");
    private static final Column STATE = Column.of("State");
    private static final Column SERVED = Column.number("Served");
    private static final Column AGE = Column.number("Age");
    private static final Column LRWP = Column.number("LRWP");
    private static final Column ACTS = Column.acts();

    private final Html html;
    private final Forms forms;
    private final Set<String> ejected;

    /**
     * Begins it.
     *
     * @param ejected names of those that are left out for a while
     */
    PeersTable(Html html, Forms forms, Set<String> ejected) {
        this.html = html;
        this.forms = forms;
        this.ejected = ejected;
    }

    /** What can be looked for. */
    static Stream<String> words(PeerStatus peer) {
        return Stream.concat(
                Stream.of(peer.name(), peer.identity(), peer.program(), peer.state()),
                peer.contexts().stream().map(PeersTable::name));
    }

    private static String name(ServedContext served) {
        return served.virtualHost() + served.context();
    }

    void write(List<PeerStatus> peers) {
        Column[] usual = {PEER, CONTEXTS, STATE, Slots.COLUMN, SERVED, AGE, LRWP};
        Column[] all = {PEER, CONTEXTS, STATE, Slots.COLUMN, SERVED, AGE, LRWP, ACTS};
        html.table(forms.areWanted() ? all : usual);
        peers.forEach(this::row);
        html.endTable();
    }

    private void row(PeerStatus peer) {
        html.raw("<tr>").cell(PEER).text(peer.name());
        if (!peer.identity().isEmpty()) {
            html.element("small", peer.identity());
        }
        if (!peer.program().isEmpty()) {
            html.element("small", peer.program(), "title", "what it calls itself");
        }
        html.close("td").cell(CONTEXTS);
        contexts(peer.contexts());
        html.close("td").cell(STATE);
        marks(peer);
        html.close("td");
        Slots.cell(html, peer.busy(), peer.capacity());
        html.cell(SERVED, Amounts.count(peer.served()))
                .cell(AGE, Amounts.age(Duration.ofNanos(peer.ageNanos())))
                .cell(LRWP, peer.version());
        if (forms.areWanted()) {
            html.cell(ACTS);
            acts(peer);
            html.close("td");
        }
        html.close("tr");
    }

    /** Each in a line; a long list is cut. */
    private void contexts(List<ServedContext> contexts) {
        int shown = Math.min(MOST_CONTEXTS, contexts.size());
        contexts.subList(0, shown).forEach(this::context);
        if (shown < contexts.size()) {
            String more = Amounts.count(contexts.size() - shown) + " more";
            html.raw("<details>").element("summary", more);
            contexts.subList(shown, contexts.size()).forEach(this::context);
            html.close("details");
        }
    }

    private void context(ServedContext context) {
        html.raw("<div>").path(name(context)).close("div");
    }

    private void marks(PeerStatus peer) {
        html.tag(peer.state(), peer.state().equals("draining") ? "warn" : "good");
        if (!peer.stuck().isEmpty()) {
            html.tag(peer.stuck().size() + " stuck", "bad");
        }
        if (ejected.contains(peer.name())) {
            html.tag("ejected", "bad");
        }
        if (peer.weight() != PeerWeight.USUAL) {
            html.tag("weight " + peer.weight(), "");
        }
    }

    private void acts(PeerStatus peer) {
        forms.unfold("Weight", peer.name(), "weigh");
        forms.hidden("subject", peer.name());
        forms.field(
                "Weight of " + peer.name() + ", 0 to " + PeerWeight.MOST,
                "name",
                "value",
                "inputmode",
                "numeric",
                "value",
                peer.weight());
        forms.button("Set", "");
        forms.fold();
        forms.command("drain", "Drain", peer.name());
        String process = peer.instance().isEmpty() ? peer.name() : peer.instance();
        forms.command("drain-peers", "Drain everywhere", process);
        forms.asking(
                "disconnect",
                "Disconnect",
                peer.name(),
                "Its requests fail, or go elsewhere where that is safe. To lose none, drain it.");
    }
}
