package org.lrwp.server.ctl;

import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Shows answers of the API to people. What a terminal could take for a command is left out. */
final class Table {
    private Table() {}

    /** One line for each object; the columns are names of members. */
    static String of(JsonArray rows, List<String> columns) {
        List<List<String>> cells = new ArrayList<>();
        cells.add(columns.stream().map(Table::title).toList());
        for (JsonValue row : rows) {
            JsonObject object = row.asJsonObject();
            cells.add(columns.stream().map(name -> text(object.get(name))).toList());
        }
        int[] widths = new int[columns.size()];
        for (List<String> line : cells) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], line.get(i).length());
            }
        }
        var table = new StringBuilder();
        for (List<String> line : cells) {
            var shown = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String cell = line.get(i);
                shown.append(cell).append(" ".repeat(widths[i] - cell.length() + 2));
            }
            table.append(shown.toString().stripTrailing()).append('\n');
        }
        return table.toString();
    }

    /** One line for each member, and for each member of an object within. */
    static String of(JsonObject object) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        object.forEach(
                (name, value) -> {
                    if (value instanceof JsonObject within) {
                        within.forEach((inner, one) -> members.put(name + "." + inner, one));
                    } else {
                        members.put(name, value);
                    }
                });
        int width = members.keySet().stream().mapToInt(String::length).max().orElse(0);
        var lines = new StringBuilder();
        members.forEach(
                (name, value) ->
                        lines.append(clean(name))
                                .append(" ".repeat(width - name.length() + 2))
                                .append(text(value))
                                .append('\n'));
        return lines.toString();
    }

    /** Values with their origins: two lines for each, as columns would not fit a terminal. */
    static String ofValues(JsonArray values) {
        var lines = new StringBuilder();
        for (JsonObject one : values.getValuesAs(JsonObject.class)) {
            String value = "%s = %s".formatted(one.getString("name"), one.getString("value"));
            lines.append(clean(value).stripTrailing()).append("\n    ");
            lines.append(clean(one.getString("origin")));
            lines.append(one.getBoolean("live") ? "\n" : "; read at the start\n");
        }
        return lines.toString();
    }

    private static String title(String name) {
        return name.replaceAll("([A-Z])", " $1").toUpperCase(Locale.ROOT);
    }

    private static String text(@org.jspecify.annotations.Nullable JsonValue value) {
        if (value == null || value.equals(JsonValue.NULL)) {
            return "-";
        } else if (value instanceof JsonString string) {
            return string.getString().isEmpty() ? "-" : clean(string.getString());
        } else if (value instanceof JsonArray array) {
            return array.isEmpty()
                    ? "-"
                    : array.stream().map(Table::text).collect(Collectors.joining(","));
        } else if (value instanceof JsonObject object && object.containsKey("context")) {
            return clean(object.getString("virtualHost", "") + object.getString("context"));
        } else if (value instanceof JsonObject object) {
            return object.entrySet().stream()
                    .map(one -> clean(one.getKey()) + "=" + text(one.getValue()))
                    .collect(Collectors.joining(" "));
        }
        return value.toString();
    }

    /** The text without what a terminal could take for a command. */
    static String clean(String text) {
        return text.codePoints()
                .map(
                        c ->
                                Character.isISOControl(c)
                                                || Character.getType(c) == Character.FORMAT
                                        ? '?'
                                        : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
