package org.lrwp.webapp.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

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
    private static final Path DOCS = Path.of("..", "docs", "configuration.md");
    private static final Path SAMPLE =
            Path.of("src", "main", "webapp", "WEB-INF", "lrwp-sample.properties");

    private static String table() {
        var table = new StringBuilder("| key | default | allowed | outcome |\n|---|---|---|---|\n");
        for (Key<?> key : Keys.ALL) {
            String fallback = key.fallback().isEmpty() ? "(empty)" : "`" + key.fallback() + "`";
            table.append("| `%s` | %s | ".formatted(key.name(), fallback))
                    .append("%s | %s |%n".formatted(key.type().allowed(), key.outcome()));
        }
        return table.toString();
    }

    private static String moduleTable() {
        var table = new StringBuilder("| key | default | allowed | outcome |\n|---|---|---|---|\n");
        for (Key<?> key : ModulesReader.ALL) {
            String fallback = key.fallback().isEmpty() ? "(empty)" : "`" + key.fallback() + "`";
            table.append("| `module.NAME.%s` | %s | ".formatted(key.name(), fallback))
                    .append("%s | %s |%n".formatted(key.type().allowed(), key.outcome()));
        }
        return table.toString();
    }

    private static String sample() {
        var sample = new StringBuilder();
        sample.append("# Sample configuration of the LRWP proxy: every key with its default.\n")
                .append("# Copy it to lrwp.properties in the domain's config folder, or name it\n")
                .append("# with -Dlrwp.config=FILE, and uncomment what you change.\n");
        for (Key<?> key : Keys.ALL) {
            sample.append("\n# ")
                    .append(key.outcome().replace("`", ""))
                    .append("\n# Allowed: ")
                    .append(key.type().allowed())
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
        String docs = Files.readString(DOCS);
        int begin = docs.indexOf(BEGIN) + BEGIN.length();
        int end = docs.indexOf(END);

        String expected = docs.substring(0, begin) + table() + docs.substring(end);

        check(DOCS, expected, docs);
    }

    @Test
    void tableOfTheDocsHasEveryKeyOfModules() throws IOException {
        String docs = Files.readString(DOCS);
        int begin = docs.indexOf(MODULES) + MODULES.length();
        int end = docs.indexOf(MODULES_END);

        String expected = docs.substring(0, begin) + moduleTable() + docs.substring(end);

        check(DOCS, expected, docs);
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

        assertEquals(Keys.ALL.size(), new TreeMap<>(system).size());
        assertEquals(
                ConfigReader.read(Map.of(), Map.of(), null, "1"),
                ConfigReader.read(Map.of(), system, null, "1"));
    }
}
