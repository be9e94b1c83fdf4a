package org.lrwp.webapp.config;

import org.lrwp.protocol.HeaderField;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Header fields that are removed from heads and set in them.
 *
 * @param removed names in any case; kept in lower case
 * @param set fields that take the place of those of the same name, and stand behind all others
 */
public record FieldChanges(Set<String> removed, List<HeaderField> set) {
    /** Nothing is changed. */
    public static final FieldChanges NONE = new FieldChanges(Set.of(), List.of());

    /** What says where a message ends or whose it is: the proxy's alone. */
    private static final Set<String> UNTOUCHABLE =
            Set.of(
                    "connection",
                    "content-length",
                    "date",
                    "host",
                    "keep-alive",
                    "te",
                    "trailer",
                    "transfer-encoding",
                    "upgrade");

    /** Checks and copies. */
    public FieldChanges {
        Set<String> gone = new TreeSet<>();
        removed.forEach(name -> gone.add(checked(name)));
        set = List.copyOf(set);
        set.forEach(field -> gone.add(checked(field.name())));
        removed = Set.copyOf(gone);
    }

    private static String checked(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (!HeaderField.isToken(name) || UNTOUCHABLE.contains(lower)) {
            throw new IllegalArgumentException("field " + name + " cannot be changed");
        }
        return lower;
    }

    /**
     * Says whether heads stay as they are.
     *
     * @return whether nothing is removed and nothing set
     */
    public boolean isEmpty() {
        return removed.isEmpty();
    }

    /**
     * Changes the fields of a head.
     *
     * @param fields as they came
     * @return the same without what is removed, with what is set
     */
    public List<HeaderField> applyTo(List<HeaderField> fields) {
        List<HeaderField> changed = new ArrayList<>(fields.size() + set.size());
        for (HeaderField field : fields) {
            if (!removed.contains(field.name().toLowerCase(Locale.ROOT))) {
                changed.add(field);
            }
        }
        changed.addAll(set);
        return changed;
    }
}
