package org.lrwp.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.lrwp.runtime.configuration.Key;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The table of keys in the document of a module. {@code -Dgolden.update=true} writes it. */
public final class KeysDocs {
    private static final String BEGIN = "<!-- keys: begin, written by KeysDocsTest -->\n";
    private static final String END = "<!-- keys: end -->";

    private KeysDocs() {}

    /**
     * Checks, or writes, the table between the two usual marks of a document.
     *
     * @param document the document
     * @param keys the keys, in the order of the table
     * @throws IOException when the document cannot be read or written
     */
    public static void check(Path document, List<Key<?>> keys) throws IOException {
        check(document, BEGIN, END, keys);
    }

    /**
     * Checks, or writes, the table between two marks of a document.
     *
     * @param document the document
     * @param begin what stands before the table, with its line end
     * @param end what stands behind it
     * @param keys the keys, in the order of the table
     * @throws IOException when the document cannot be read or written
     */
    public static void check(Path document, String begin, String end, List<Key<?>> keys)
            throws IOException {
        String docs = Files.readString(document);
        int from = docs.indexOf(begin) + begin.length();
        int to = docs.indexOf(end);
        assertTrue(docs.contains(begin) && from <= to, document + " has no place for its keys");
        String expected = docs.substring(0, from) + table(keys) + docs.substring(to);
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(document, expected);
        } else {
            assertEquals(expected, docs, "rewrite with -Dgolden.update=true: " + document);
        }
    }

    private static String table(List<Key<?>> keys) {
        StringBuilder table = new StringBuilder("| key | default | allowed | changes | what |\n");
        table.append("|---|---|---|---|---|\n");
        for (Key<?> key : keys) {
            table.append("| `").append(key.name()).append("` | ").append(fallback(key));
            table.append(" | ").append(key.type().allowed());
            table.append(" | ").append(key.isLive() ? "at once" : "at the start");
            table.append(" | ").append(key.meaning()).append(" |\n");
        }
        return table.toString();
    }

    private static String fallback(Key<?> key) {
        if (key.isRequired()) {
            return "must be set";
        }
        return key.fallback().isEmpty() ? "" : "`" + key.fallback() + "`";
    }
}
