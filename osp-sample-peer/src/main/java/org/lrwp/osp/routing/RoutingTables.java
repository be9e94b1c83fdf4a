package org.lrwp.osp.routing;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All that routing knows at one time. Immutable; a reload makes new tables.
 *
 * @param devices who may ask, those that say most first
 * @param destinations whereto calls can go
 * @param routes which destinations serve which numbers
 * @param tariffs what calls are sold for, by name of the tariff
 * @param blocked numbers that may not be called
 * @param ported numbers that have moved to another carrier
 * @param cics identification codes of carriers
 * @param translations how numbers are changed
 */
record RoutingTables(
        List<Device> devices,
        List<Destination> destinations,
        RouteRows routes,
        Map<String, Prices> tariffs,
        PrefixTable blocked,
        PortedNumbers ported,
        Set<String> cics,
        Translations translations) {
    RoutingTables {
        devices = List.copyOf(devices);
        destinations = List.copyOf(destinations);
        tariffs = Map.copyOf(tariffs);
        cics = Set.copyOf(cics);
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
     * Numbers that have moved.
     *
     * @param prefixes finds rows by number
     * @param routingNumbers what they are routed by
     * @param cics identification codes of the carriers they moved to; empty where none is known
     */
    record PortedNumbers(PrefixTable prefixes, List<String> routingNumbers, List<String> cics) {
        PortedNumbers {
            routingNumbers = List.copyOf(routingNumbers);
            cics = List.copyOf(cics);
        }

        /** What is known of a number after this table was asked, unless that was done before. */
        Portability of(String number, Portability known) {
            int entry = known.asked() ? -1 : prefixes.find(number);
            if (entry < 0) {
                return known;
            }
            int row = prefixes.row(entry, prefixes.rows(entry) - 1);
            return known.completed(routingNumbers.get(row), cics.get(row));
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
                + blocked.size()
                + " ported="
                + ported.prefixes().size();
    }
}
