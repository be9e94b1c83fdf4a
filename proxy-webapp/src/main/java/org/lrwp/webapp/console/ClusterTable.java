package org.lrwp.webapp.console;

import org.lrwp.cluster.ClusterStatus;
import org.lrwp.engine.EngineStatus;

import java.util.Locale;

/** The nodes of the cluster on the page of the console. */
final class ClusterTable {
    private static final Column NODE = Column.wide("Node");
    private static final Column STATE = Column.of("State");
    private static final Column FREE = Column.number("Free slots");
    private static final Column SLOTS = Column.number("Slots");
    private static final Column WAITING = Column.number("Waiting");
    private static final Column OURS = Column.number("Our requests there");
    private static final Column VERSION = Column.number("Version");
    private static final Column ACTS = Column.acts();

    private final Html html;
    private final Forms forms;

    ClusterTable(Html html, Forms forms) {
        this.html = html;
        this.forms = forms;
    }

    /** Writes the nodes, and what is drained at this one. */
    void write(ClusterStatus cluster, EngineStatus here) {
        if (cluster.enabled()) {
            nodes(cluster);
        } else {
            String drained = here.drained() ? ", and is drained." : ".";
            html.element("p", "This proxy is none of a cluster" + drained, "class", "empty");
            acts("", here.drained());
        }
        for (String name : here.drainedPeers()) {
            html.element("p", name + " gets no new requests.", "class", "quiet");
            if (forms.areWanted()) {
                forms.command("resume-peers", "Resume", name);
            }
        }
    }

    private void acts(String node, boolean drained) {
        if (forms.areWanted() && drained) {
            forms.command("resume-node", "Resume", node);
        } else if (forms.areWanted()) {
            forms.command("drain-node", "Drain", node);
        }
    }

    private void nodes(ClusterStatus cluster) {
        if (!cluster.connected()) {
            html.element("p", "This proxy works alone: " + cluster.reason(), "class", "bad");
        }
        Column[] usual = {NODE, STATE, FREE, SLOTS, WAITING, OURS, VERSION};
        Column[] all = {NODE, STATE, FREE, SLOTS, WAITING, OURS, VERSION, ACTS};
        html.table(forms.areWanted() ? all : usual);
        for (ClusterStatus.Node node : cluster.nodes()) {
            html.raw("<tr>")
                    .cell(NODE, node.name())
                    .cell(STATE)
                    .tag(state(node), isWell(node) ? "good" : "bad")
                    .close("td")
                    .cell(FREE, Amounts.count(node.free()))
                    .cell(SLOTS, Amounts.count(node.slots()))
                    .cell(WAITING, Amounts.count(node.waiting()))
                    .cell(OURS, Amounts.count(node.away()))
                    .cell(VERSION, node.version());
            if (forms.areWanted()) {
                html.cell(ACTS);
                acts(node.name(), node.draining());
                html.close("td");
            }
            html.close("tr");
        }
        html.endTable();
    }

    private static boolean isWell(ClusterStatus.Node node) {
        boolean heard =
                node.state() == ClusterStatus.State.SELF
                        || node.state() == ClusterStatus.State.LIVE;
        return heard && !node.draining();
    }

    private static String state(ClusterStatus.Node node) {
        String state = node.state().name().toLowerCase(Locale.ROOT);
        return node.draining() ? state + ", draining" : state;
    }
}
