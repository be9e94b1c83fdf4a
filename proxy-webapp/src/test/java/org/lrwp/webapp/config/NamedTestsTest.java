package org.lrwp.webapp.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Each claim of the documents names tests that are there. */
class NamedTestsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern NAMED =
            Pattern.compile("`(?:([A-Z]\\w*(?:IT|Test))\\b\\.?)?(\\w*)`");

    @ParameterizedTest
    @CsvSource({
        "security.md, What holds, Under attack, 20",
        "operations.md, What users of proxies ask for, Beside other proxies, 16",
    })
    void theTestsThatHoldAClaimAreThere(String document, String from, String to, int least)
            throws IOException {
        Map<String, String> sources = sources();
        List<String> missing = new ArrayList<>();
        List<String> claims = claims(document, "## " + from, "## " + to);
        for (String claim : claims) {
            String[] cells = claim.split("\\|", -1);
            String tests = cells[cells.length - 2];
            Matcher named = NAMED.matcher(tests);
            String type = "";
            int count = 0;
            while (named.find()) {
                type = named.group(1) == null ? type : named.group(1);
                String method = named.group(2);
                String source = sources.getOrDefault(type, "");
                boolean there =
                        !source.isEmpty()
                                && (method.isEmpty() || source.contains("void " + method + "("));
                if (!there) {
                    missing.add(type + "." + method);
                }
                count++;
            }
            assertTrue(count > 0, claim);
        }
        assertTrue(claims.size() >= least, claims.size() + " claims");
        assertEquals(List.of(), missing);
    }

    private static List<String> claims(String document, String from, String to) throws IOException {
        String text = Files.readString(ROOT.resolve("docs").resolve(document));
        String section = text.substring(text.indexOf(from + "\n"), text.indexOf(to + "\n"));
        return section.lines().filter(line -> line.startsWith("| ")).skip(1).toList();
    }

    private static Map<String, String> sources() throws IOException {
        try (Stream<Path> all = Files.walk(ROOT)) {
            return all.filter(
                            path -> path.toString().matches(".*/src/test/java/.*(IT|Test)\\.java"))
                    .collect(
                            Collectors.toMap(
                                    path -> path.getFileName().toString().replace(".java", ""),
                                    NamedTestsTest::read,
                                    (one, other) -> one + other));
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
