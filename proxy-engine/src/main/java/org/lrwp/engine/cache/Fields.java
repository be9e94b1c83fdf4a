package org.lrwp.engine.cache;

import org.jspecify.annotations.Nullable;
import org.lrwp.http1.HttpDate;
import org.lrwp.protocol.HeaderField;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Looks into header fields. */
final class Fields {
    private Fields() {}

    /** Returns all values of a field, joined by commas; null when it is not there. */
    static @Nullable String all(List<HeaderField> fields, String name) {
        StringBuilder joined = null;
        for (HeaderField field : fields) {
            if (field.name().equalsIgnoreCase(name)) {
                joined = joined == null ? new StringBuilder() : joined.append(", ");
                joined.append(field.value());
            }
        }
        return joined == null ? null : joined.toString();
    }

    static boolean has(List<HeaderField> fields, String name) {
        for (HeaderField field : fields) {
            if (field.name().equalsIgnoreCase(name)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the fields without those of some names. */
    static List<HeaderField> without(List<HeaderField> fields, List<String> names) {
        List<HeaderField> left = new ArrayList<>(fields.size() + 2);
        for (HeaderField field : fields) {
            if (!isOneOf(names, field.name())) {
                left.add(field);
            }
        }
        return left;
    }

    private static boolean isOneOf(List<String> names, String name) {
        for (String one : names) {
            if (one.equalsIgnoreCase(name)) {
                return true;
            }
        }
        return false;
    }

    /** Reads a date; -1 when it is none. */
    static long seconds(@Nullable String date, long nowMillis) {
        Instant read = date == null ? null : HttpDate.parse(date, Instant.ofEpochMilli(nowMillis));
        return read == null ? -1 : read.getEpochSecond();
    }

    /** Splits a list at its commas, but for those in quotes. */
    static List<String> list(@Nullable String value) {
        List<String> items = new ArrayList<>();
        if (value == null) {
            return items;
        }
        boolean quoted = false;
        int from = 0;
        for (int i = 0; i <= value.length(); i++) {
            if (i == value.length() || (value.charAt(i) == ',' && !quoted)) {
                String item = value.substring(from, i).strip();
                if (!item.isEmpty()) {
                    items.add(item);
                }
                from = i + 1;
            } else if (value.charAt(i) == '"') {
                quoted = !quoted;
            } else if (value.charAt(i) == '\\' && quoted) {
                i++;
            }
        }
        return items;
    }
}
