package org.lrwp.webapp.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.testkit.KeysDocs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** The table of docs/configuration.md and the sample say what the code says. */
class ConfigurationDocsTest {
    private static final String BEGIN = "<!-- keys: begin, written by ConfigurationDocsTest -->\n";
    private static final String END = "<!-- keys: end -->\n";
    private static final String MODULES =
            "<!-- module keys: begin, written by ConfigurationDocsTest -->\n";
    private static final String MODULES_END = "<!-- module keys: end -->\n";
    private static final String PEERS =
            "<!-- peer keys: begin, written by ConfigurationDocsTest -->\n";
    private static final String PEERS_END = "<!-- peer keys: end -->\n";
    private static final String OPERATORS =
            "<!-- operator keys: begin, written by ConfigurationDocsTest -->\n";
    private static final String OPERATORS_END = "<!-- operator keys: end -->\n";
    private static final Path OPERATIONS = Path.of("..", "docs", "operations.md");
    private static final Path DOCS = Path.of("..", "docs", "configuration.md");
    private static final Path SAMPLE =
            Path.of("src", "main", "webapp", "WEB-INF", "lrwp-sample.properties");

    private static String sample() {
        var sample = new StringBuilder();
        sample.append("# Sample configuration of the LRWP proxy: every key with its default.\n")
                .append("# Copy it to lrwp.properties in the domain's config folder, or name it\n")
                .append("# with -Dlrwp.config=FILE, and uncomment what you change.\n");
        for (Key<?> key : Keys.own()) {
            sample.append("\n# ")
                    .append(key.meaning().replace("`", ""))
                    .append("\n# Allowed: ")
                    .append(key.type().allowed())
                    .append(".\n# A change takes effect ")
                    .append(key.use() == Key.Use.LIVE ? "at once" : "at the next start")
                    .append(".\n#")
                    .append("%s = %s".formatted(key.name(), key.fallback()).strip())
                    .append('\n');
        }
        return sample.toString();
    }

    private static void check(Path file, String expected, String actual) throws IOException {
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(file, expected);
        } else {
            assertEquals(expected, actual, "rewrite with -Dgolden.update=true: " + file);
        }
    }

    @Test
    void tableOfTheDocsHasEveryKey() throws IOException {
        KeysDocs.check(DOCS, BEGIN, END, Keys.own());
    }

    @Test
    void tableOfTheDocsHasEveryKeyOfModules() throws IOException {
        KeysDocs.check(DOCS, MODULES, MODULES_END, ModuleKeys.all());
    }

    @Test
    void tableOfTheDocsHasEveryKeyOfOperators() throws IOException {
        KeysDocs.check(OPERATIONS, OPERATORS, OPERATORS_END, OperatorKeys.all());
    }

    @Test
    void tableOfTheDocsHasEveryKeyOfIdentities() throws IOException {
        KeysDocs.check(DOCS, PEERS, PEERS_END, PeerKeys.all());
    }

    @Test
    void sampleHasEveryKey() throws IOException {
        check(SAMPLE, sample(), Files.exists(SAMPLE) ? Files.readString(SAMPLE) : "");
    }

    @Test
    void sampleWithAllKeysUncommentedIsTheDefaults() throws Exception {
        var sample = new Properties();
        for (String line : Files.readAllLines(SAMPLE)) {
            if (line.startsWith("#") && !line.startsWith("# ") && line.contains(" =")) {
                sample.load(new java.io.StringReader(line.substring(1)));
            }
        }
        Map<String, String> system = new HashMap<>();
        sample.forEach((name, value) -> system.put("lrwp." + name, value.toString()));

        assertEquals(Keys.own().size(), new TreeMap<>(system).size());
        assertEquals(
                ConfigReader.read(Map.of(), Map.of(), null, "1"),
                ConfigReader.read(Map.of(), system, null, "1"));
    }
}
