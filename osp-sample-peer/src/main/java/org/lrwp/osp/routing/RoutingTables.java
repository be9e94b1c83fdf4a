package org.lrwp.osp.routing;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that routing knows at one time. Immutable; a reload makes new tables.
 *
 * @param devices who may ask, those that say most first
 * @param destinations whereto calls can go
 * @param routes which destinations serve which numbers
 * @param tariffs what calls are sold for, by name of the tariff
 * @param blocked numbers that may not be called
 * @param translations how numbers are changed
 */
record RoutingTables(
        List<Device> devices,
        List<Destination> destinations,
        RouteRows routes,
        Map<String, Prices> tariffs,
        PrefixTable blocked,
        Translations translations) {
    RoutingTables {
        devices = List.copyOf(devices);
        destinations = List.copyOf(destinations);
        tariffs = Map.copyOf(tariffs);
    }

    /**
     * Routes as columns: one array for each, a row for each index.
     *
     * @param prefixes finds rows by number
     * @param destination index into the destinations
     * @param cost what a minute costs, in millionths
     * @param priority lower is better
     * @param weight share among equals, 1 or more
     */
    @SuppressWarnings("ArrayRecordComponent") // A million of them; never changed, never compared.
    record RouteRows(
            PrefixTable prefixes,
            int[] destination,
            int[] cost,
            short[] priority,
            short[] weight) {}

    /**
     * Prices by number.
     *
     * @param prefixes finds rows by number
     * @param price what a minute is sold for, in millionths
     */
    @SuppressWarnings("ArrayRecordComponent") // Like the routes.
    record Prices(PrefixTable prefixes, int[] price) {
        Optional<Integer> of(String number) {
            int entry = prefixes.find(number);
            return entry < 0
                    ? Optional.empty()
                    : Optional.of(price[prefixes.row(entry, prefixes.rows(entry) - 1)]);
        }
    }

    /**
     * How numbers are changed.
     *
     * @param calledBefore called numbers before routing, by device
     * @param callingBefore calling numbers before routing, by device
     * @param calledAfter called numbers after routing, by destination
     * @param callingAfter calling numbers after routing, by destination
     */
    record Translations(
            Translation.Rules calledBefore,
            Translation.Rules callingBefore,
            Translation.Rules calledAfter,
            Translation.Rules callingAfter) {}

    Optional<Device> device(Origin origin, String called) {
        return devices.stream().filter(each -> each.matches(origin, called)).findFirst();
    }

    String summary() {
        return "devices="
                + devices.size()
                + " destinations="
                + destinations.size()
                + " prefixes="
                + routes.prefixes().size()
                + " routes="
                + routes.destination().length
                + " tariffs="
                + tariffs.size()
                + " blocked="
                + blocked.size();
    }
}
