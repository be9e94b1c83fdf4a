package org.lrwp.osp.routing;

import org.lrwp.osp.routing.Device.Limits;
import org.lrwp.osp.routing.Device.Price;
import org.lrwp.osp.routing.RoutingTables.PortedNumbers;
import org.lrwp.osp.routing.RoutingTables.Prices;
import org.lrwp.osp.routing.RoutingTables.Translations;
import org.lrwp.osp.token.TokenClass;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads and checks all tables. For one thread, once. */
final class TablesLoader {
    private static final int MOST_FAULTS = 20;
    private static final int MOST = 1_000_000;

    /** Does something with a row; what it throws is a fault of the row. */
    private interface RowReader {
        void read(Row row);
    }

    private final TableSource source;
    private final TokenClass usualTokens;
    private final List<String> faults = new ArrayList<>();
    private final List<Device> devices = new ArrayList<>();
    private final Set<String> deviceNames = new HashSet<>();

    /** A row of the table carriers. */
    private record Carrier(boolean suspended, String cic) {
        static final Carrier NONE = new Carrier(false, "");
    }

    private final Map<String, Carrier> carriers = new HashMap<>();
    private final List<Destination> destinations = new ArrayList<>();
    private final Map<String, Integer> destinationsByName = new HashMap<>();
    private final RouteColumns routes = new RouteColumns();
    private final Map<String, PriceColumn> tariffs = new HashMap<>();
    private final PrefixTable.Builder blocked = new PrefixTable.Builder();
    private final PrefixTable.Builder ported = new PrefixTable.Builder();
    private final List<String> routingNumbers = new ArrayList<>();
    private final List<String> portedCics = new ArrayList<>();
    private final Map<String, List<Translation>> translations = new HashMap<>();

    private TablesLoader(TableSource source, TokenClass usualTokens) {
        this.source = source;
        this.usualTokens = usualTokens;
    }

    static RoutingTables load(TableSource source, TokenClass usualTokens)
            throws BadTablesException {
        return new TablesLoader(source, usualTokens).load();
    }

    private RoutingTables load() throws BadTablesException {
        read(TableName.CARRIERS, this::carrier);
        read(TableName.DESTINATIONS, this::destination);
        read(TableName.PREFIXES, this::route);
        read(TableName.TARIFFS, this::price);
        read(TableName.DEVICES, this::device);
        read(TableName.BLOCKED, row -> blocked.add(row.needed("prefix")));
        read(TableName.PORTED, this::ported);
        read(TableName.TRANSLATIONS, this::translation);
        if (!faults.isEmpty()) {
            throw new BadTablesException(faults);
        }
        devices.sort(Comparator.comparingInt(Device::weight).reversed());
        Map<String, Prices> prices = new HashMap<>();
        tariffs.forEach((name, column) -> prices.put(name, column.build()));
        return new RoutingTables(
                devices,
                destinations,
                routes.build(),
                prices,
                blocked.build(),
                new PortedNumbers(ported.build(), routingNumbers, portedCics),
                carriers.values().stream()
                        .map(Carrier::cic)
                        .filter(cic -> !cic.isEmpty())
                        .collect(Collectors.toSet()),
                new Translations(
                        rules("called before"),
                        rules("calling before"),
                        rules("called after"),
                        rules("calling after")));
    }

    private Translation.Rules rules(String which) {
        return new Translation.Rules(translations.getOrDefault(which, List.of()));
    }

    private void read(TableName table, RowReader reader) {
        try {
            boolean found =
                    source.read(
                            table,
                            (place, values) -> {
                                try {
                                    reader.read(new Row(table, values));
                                } catch (IllegalArgumentException unfit) {
                                    fault(source.place(table, place) + ": " + unfit.getMessage());
                                }
                            });
            if (!found && table.isNeeded()) {
                fault(table.file() + " is missing");
            }
        } catch (IOException unreadable) {
            fault(String.valueOf(unreadable.getMessage()));
        }
    }

    private void fault(String text) {
        if (faults.size() < MOST_FAULTS) {
            faults.add(text);
        }
    }

    private void carrier(Row row) {
        Carrier carrier = new Carrier(row.flag("suspended", false), row.text("cic"));
        if (carriers.put(row.needed("name"), carrier) != null) {
            throw new IllegalArgumentException("name: '" + row.text("name") + "' stands twice");
        }
    }

    private void destination(Row row) {
        String carrier = row.text("carrier");
        if (!carrier.isEmpty() && !carriers.containsKey(carrier)) {
            throw new IllegalArgumentException("carrier: there is no '" + carrier + "'");
        }
        Carrier owner = carriers.getOrDefault(carrier, Carrier.NONE);
        Destination destination =
                new Destination(
                        row.needed("name"),
                        carrier,
                        owner.cic(),
                        row.needed("address"),
                        row.text("network"),
                        row.text("protocol"),
                        row.flag("osp", true),
                        row.text("out-prefix"),
                        row.flag("suspended", false) || owner.suspended(),
                        row.number("capacity", 0, 0, MOST),
                        new Destination.Expectation(
                                row.number("min-asr", 0, 0, 100),
                                row.number("min-acd", 0, 0, MOST),
                                row.number("max-pdd", 0, 0, MOST)));
        if (destinationsByName.put(destination.name(), destinations.size()) != null) {
            throw new IllegalArgumentException("name: '" + destination.name() + "' stands twice");
        }
        destinations.add(destination);
    }

    private void route(Row row) {
        Integer destination = destinationsByName.get(row.needed("destination"));
        if (destination == null) {
            throw new IllegalArgumentException(
                    "destination: there is no '" + row.text("destination") + "'");
        }
        int cost = row.money("cost");
        int priority = row.number("priority", 1, 0, Short.MAX_VALUE);
        int weight = row.number("weight", 1, 1, Short.MAX_VALUE);
        routes.add(row.text("prefix"), destination, cost, priority, weight);
    }

    private void price(Row row) {
        int price = row.money("price");
        tariffs.computeIfAbsent(row.needed("tariff"), any -> new PriceColumn())
                .add(row.text("prefix"), price);
    }

    private void device(Row row) {
        String tariff = row.text("tariff");
        if (!tariff.isEmpty() && !tariffs.containsKey(tariff)) {
            throw new IllegalArgumentException("tariff: there is no '" + tariff + "'");
        }
        Device device =
                new Device(
                        row.needed("name"),
                        AddressRange.parse(row.text("address", "*")),
                        row.text("network"),
                        row.text("customer"),
                        row.text("device"),
                        row.text("tech-prefix"),
                        row.flag("enrolled", true),
                        row.flag("suspended", false),
                        row.text("tokens").isEmpty()
                                ? usualTokens
                                : TokenClass.parse(row.text("tokens")),
                        new Price(tariff, row.money("min-margin")),
                        new Limits(
                                row.number("max-rate", 0, 0, MOST),
                                row.number("max-calls", 0, 0, MOST)));
        if (!deviceNames.add(device.name())) {
            throw new IllegalArgumentException("name: '" + device.name() + "' stands twice");
        }
        devices.add(device);
    }

    private void ported(Row row) {
        String routingNumber = row.needed("routing-number");
        ported.add(row.needed("prefix"));
        routingNumbers.add(routingNumber);
        portedCics.add(row.text("cic"));
    }

    private void translation(Row row) {
        String kind = row.text("kind", "called");
        String moment = row.needed("moment");
        if (!Set.of("called", "calling").contains(kind)
                || !Set.of("before", "after").contains(moment)) {
            throw new IllegalArgumentException(
                    "kind is called or calling, moment is before or after");
        }
        translations
                .computeIfAbsent(kind + " " + moment, any -> new ArrayList<>())
                .add(
                        new Translation(
                                row.text("scope", "*"),
                                row.text("prefix"),
                                row.number("strip", 0, 0, 64),
                                row.text("add")));
    }
}
