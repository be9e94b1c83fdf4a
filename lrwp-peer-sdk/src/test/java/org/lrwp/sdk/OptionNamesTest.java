package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The table of options in peers/README.md has what the sources of all libraries have. */
final class OptionNamesTest {
    private static final List<Row> TABLE = table();

    /** One option of the table: its cells of the libraries, and the default of all. */
    private record Row(String option, List<String> cells, String standard) {}

    private static List<Row> table() {
        String page = OptionsOfLibrary.read("peers/README.md");
        String table = page.substring(page.indexOf("\n| option | Java |"));
        List<Row> rows = new ArrayList<>();
        for (String line :
                table.strip().lines().skip(2).takeWhile(l -> l.startsWith("|")).toList()) {
            List<String> cells = Arrays.stream(line.split("\\|", -1)).map(String::strip).toList();
            assertEquals(11, cells.size(), line);
            rows.add(new Row(cells.get(1), cells.subList(2, 8), cells.get(8)));
        }
        return rows;
    }

    @ParameterizedTest
    @EnumSource
    void tableHasTheNamesAndDefaultsOfEachLibrary(OptionsOfLibrary library) {
        Map<String, String> told = new TreeMap<>();
        for (Row row : TABLE) {
            String cell = row.cells().get(library.column);
            int open = cell.indexOf('(');
            String standard =
                    open < 0 ? row.standard() : cell.substring(open + 1, cell.length() - 1);
            for (String name : found("`([^`]+)`", open < 0 ? cell : cell.substring(0, open))) {
                assertTrue(library.style.matcher(name).matches(), name);
                String rest = plain(name).replaceFirst("^" + plain(row.option()), "");
                assertTrue(
                        rest.matches("|length|file"),
                        name + " is another name than " + row.option());
                told.put(name, rest.equals("length") ? "" : standard.replace("false", ""));
            }
        }
        Map<String, String> real = library.options();
        if (library == OptionsOfLibrary.CONNECT) {
            // The others are about programs: docs/connect.md has them, and a test in Go compares.
            List<String> peers = TABLE.stream().map(row -> plain(row.option())).toList();
            real.keySet().removeIf(name -> !told.containsKey(name) && !peers.contains(plain(name)));
        }
        assertEquals(lines(real), lines(told));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "peers/python/lrwp_run.py",
                "peer-modules/runtime/src/main/java/org/lrwp/runtime/PeerOptions.java"
            })
    void programsHaveTheOptionsOfLrwpConnect(String file) {
        String source =
                OptionsOfLibrary.read(file)
                        + (file.endsWith(".java")
                                ? OptionsOfLibrary.read(file.replace("Peer", "Trust"))
                                : "");
        List<String> real = found("\"(--[a-z-]+)\"", source);
        for (Row row : TABLE) {
            for (String name : found("`(--[^`]+)`", row.cells().get(5))) {
                boolean ofAll =
                        !List.of("--name", "--strip", "--upgrades", "--max-body").contains(name);
                assertTrue(!ofAll || real.contains(name), () -> file + " has no " + name);
            }
        }
    }

    private static String lines(Map<String, String> options) {
        return String.join("\n", options.entrySet().stream().map(Object::toString).toList());
    }

    private static String plain(String name) {
        return name.replaceAll("[_-]", "").toLowerCase(Locale.ROOT);
    }

    private static List<String> found(String pattern, String text) {
        return OptionsOfLibrary.hits(text, pattern).stream().map(hit -> hit.group(1)).toList();
    }
}
