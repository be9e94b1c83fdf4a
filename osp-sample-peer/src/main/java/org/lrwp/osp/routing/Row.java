package org.lrwp.osp.routing;

import java.util.List;

/** One row of a table with its columns by name; each unfit value is a fault with its column. */
final class Row {
    private final TableName table;
    private final List<String> values;

    Row(TableName table, List<String> values) {
        this.table = table;
        this.values = values;
    }

    String text(String column) {
        return values.get(table.columns().indexOf(column));
    }

    String text(String column, String usual) {
        String text = text(column);
        return text.isEmpty() ? usual : text;
    }

    String needed(String column) {
        String text = text(column);
        if (text.isEmpty()) {
            throw new IllegalArgumentException(column + " is missing");
        }
        return text;
    }

    int number(String column, int usual, int least, int most) {
        String text = text(column);
        if (text.isEmpty()) {
            return usual;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException notNumber) {
            // A fault like a number outside its range.
        }
        throw new IllegalArgumentException(
                column + ": '" + text + "' is not a number from " + least + " to " + most);
    }

    boolean flag(String column, boolean usual) {
        return switch (text(column)) {
            case "" -> usual;
            case "yes" -> true;
            case "no" -> false;
            default ->
                    throw new IllegalArgumentException(
                            column + ": '" + text(column) + "' is neither yes nor no");
        };
    }

    int money(String column) {
        return Money.millionths(text(column, "0"));
    }
}
