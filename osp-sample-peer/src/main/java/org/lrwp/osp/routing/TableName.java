package org.lrwp.osp.routing;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The tables routing is made of, and their columns. */
public enum TableName {
    /** Who may ask. */
    DEVICES(
            true,
            "name*",
            "address",
            "network",
            "customer",
            "device",
            "tech-prefix",
            "enrolled",
            "suspended",
            "tokens",
            "tariff",
            "min-margin",
            "max-rate",
            "max-calls"),
    /** To whom destinations belong. */
    CARRIERS(false, "name*", "suspended", "cic"),
    /** Whereto calls can go. */
    DESTINATIONS(
            true,
            "name*",
            "carrier",
            "address*",
            "network",
            "protocol",
            "osp",
            "out-prefix",
            "capacity",
            "suspended",
            "min-asr",
            "min-acd",
            "max-pdd"),
    /** Which destination serves which numbers. */
    PREFIXES(true, "prefix*", "destination*", "cost", "priority", "weight"),
    /** What calls are sold for. */
    TARIFFS(false, "tariff*", "prefix", "price"),
    /** Numbers that may not be called. */
    BLOCKED(false, "prefix*"),
    /** Numbers that have moved to another carrier. */
    PORTED(false, "prefix*", "routing-number*", "cic"),
    /** How numbers are changed. */
    TRANSLATIONS(false, "kind", "moment*", "scope", "prefix", "strip", "add");

    private final boolean needed;

    @SuppressWarnings("ImmutableEnumChecker") // It is never changed.
    private final List<String> columns;

    @SuppressWarnings("ImmutableEnumChecker") // It is never changed.
    private final List<String> neededColumns;

    /** A star behind a name: the column is needed. */
    TableName(boolean needed, String... columns) {
        this.needed = needed;
        this.columns = Arrays.stream(columns).map(each -> each.replace("*", "")).toList();
        this.neededColumns =
                Arrays.stream(columns)
                        .filter(each -> each.endsWith("*"))
                        .map(each -> each.replace("*", ""))
                        .toList();
    }

    /**
     * Tells whether there is no routing without it.
     *
     * @return false when an absent table counts as an empty one
     */
    boolean isNeeded() {
        return needed;
    }

    /**
     * Returns the columns.
     *
     * @return names as they stand in files
     */
    public List<String> columns() {
        return columns;
    }

    /** The columns that no table of this name may leave out, however few rows it has. */
    List<String> neededColumns() {
        return neededColumns;
    }

    /**
     * Returns the name of the file.
     *
     * @return for example {@code devices.csv}
     */
    public String file() {
        return name().toLowerCase(Locale.ROOT) + ".csv";
    }

    /**
     * Returns the name of the SQL table.
     *
     * @return for example {@code osp_devices}
     */
    public String sql() {
        return "osp_" + name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the name of a column of the SQL table.
     *
     * @param column its name in files
     * @return for example {@code tech_prefix}; {@code add} is {@code added} there
     */
    public static String sqlColumn(String column) {
        return column.equals("add") ? "added" : column.replace('-', '_');
    }
}
