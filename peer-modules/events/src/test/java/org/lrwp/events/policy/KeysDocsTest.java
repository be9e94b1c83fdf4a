package org.lrwp.events.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.lrwp.runtime.configuration.Key;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The table of docs/events.md is that of the code; {@code -Dgolden.update=true} writes it. */
class KeysDocsTest {
    private static final Path DOCS = Path.of("../../docs/events.md");
    private static final String BEGIN = "<!-- keys: begin, written by KeysDocsTest -->\n";
    private static final String END = "<!-- keys: end -->";

    private static String table() {
        StringBuilder table =
                new StringBuilder("| key | default | allowed | what |\n|---|---|---|---|\n");
        for (Key<?> key : EventsKeys.all()) {
            String fallback = key.fallback().isEmpty() ? "" : "`" + key.fallback() + "`";
            String use = key.use() == Key.Use.LIVE ? "" : " Read at the start.";
            table.append("| `").append(key.name()).append("` | ").append(fallback).append(" | ");
            table.append(key.type().allowed()).append(" | ").append(key.meaning()).append(use);
            table.append(" |\n");
        }
        return table.toString();
    }

    @Test
    void tableOfKeysIsTrue() throws IOException {
        String docs = Files.readString(DOCS);
        int begin = docs.indexOf(BEGIN) + BEGIN.length();
        int end = docs.indexOf(END);
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(DOCS, docs.substring(0, begin) + table() + docs.substring(end));
            return;
        }

        assertEquals(table(), docs.substring(begin, end));
    }
}
