package org.lrwp.webapp.console;

import org.lrwp.cluster.ClusterStatus;

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

    private ClusterTable() {}

    static void write(Html html, ClusterStatus cluster) {
        if (!cluster.enabled()) {
            html.element("p", "This proxy is none of a cluster.", "class", "empty");
            return;
        }
        if (!cluster.connected()) {
            html.element("p", "This proxy works alone: " + cluster.reason(), "class", "bad");
        }
        html.table(NODE, STATE, FREE, SLOTS, WAITING, OURS, VERSION);
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
                    .cell(VERSION, node.version())
                    .close("tr");
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
