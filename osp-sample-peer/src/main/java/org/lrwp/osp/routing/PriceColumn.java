package org.lrwp.osp.routing;

import org.lrwp.osp.routing.RoutingTables.Prices;

import java.util.Arrays;

/** Gathers the prices of one tariff. */
final class PriceColumn {
    private final PrefixTable.Builder prefixes = new PrefixTable.Builder();
    private int[] price = new int[64];
    private int count;

    void add(String prefix, int sold) {
        prefixes.add(prefix);
        if (count == price.length) {
            price = Arrays.copyOf(price, 2 * count);
        }
        price[count++] = sold;
    }

    Prices build() {
        return new Prices(prefixes.build(), Arrays.copyOf(price, count));
    }
}
