package org.lrwp.webapp.console;

import org.lrwp.cluster.ClusterStatus;

import java.util.Locale;

/** The nodes of the cluster on the page of the console. */
final class ClusterTable {
    private ClusterTable() {}

    static void write(Html html, ClusterStatus cluster) {
        if (!cluster.enabled()) {
            html.element("p", "This proxy is none of a cluster.", "class", "empty");
            return;
        }
        if (!cluster.connected()) {
            html.element("p", "This proxy works alone: " + cluster.reason(), "class", "bad");
        }
        html.raw("<table>")
                .columns("Node", "State", "Free slots", "Slots", "Waiting", "Has of us", "Version")
                .raw("<tbody>");
        for (ClusterStatus.Node node : cluster.nodes()) {
            html.raw("<tr>").cell("Node", node.name()).raw("<td data-label=\"State\">");
            html.element("span", state(node), "class", "tag " + (isWell(node) ? "good" : "bad"))
                    .raw("</td>")
                    .number("Free slots", node.free())
                    .number("Slots", node.slots())
                    .number("Waiting", node.waiting())
                    .number("Has of us", node.away())
                    .cell("Version", node.version())
                    .raw("</tr>");
        }
        html.raw("</tbody></table>");
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
