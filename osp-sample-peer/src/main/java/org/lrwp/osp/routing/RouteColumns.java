package org.lrwp.osp.routing;

import org.lrwp.osp.routing.RoutingTables.RouteRows;

import java.util.Arrays;

/** Gathers routes column by column: a million rows as objects would be ten times as large. */
final class RouteColumns {
    private final PrefixTable.Builder prefixes = new PrefixTable.Builder();
    private int[] destination = new int[1_024];
    private int[] cost = new int[1_024];
    private short[] priority = new short[1_024];
    private short[] weight = new short[1_024];
    private int count;

    void add(String prefix, int to, int costs, int ranks, int weighs) {
        prefixes.add(prefix);
        if (count == destination.length) {
            int size = 2 * count;
            destination = Arrays.copyOf(destination, size);
            cost = Arrays.copyOf(cost, size);
            priority = Arrays.copyOf(priority, size);
            weight = Arrays.copyOf(weight, size);
        }
        destination[count] = to;
        cost[count] = costs;
        priority[count] = (short) ranks;
        weight[count] = (short) weighs;
        count++;
    }

    RouteRows build() {
        return new RouteRows(
                prefixes.build(),
                Arrays.copyOf(destination, count),
                Arrays.copyOf(cost, count),
                Arrays.copyOf(priority, count),
                Arrays.copyOf(weight, count));
    }
}
