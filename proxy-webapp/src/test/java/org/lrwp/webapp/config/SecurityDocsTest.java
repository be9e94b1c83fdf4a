package org.lrwp.webapp.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

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

/** Each claim of docs/security.md names tests that are there. */
class SecurityDocsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern NAMED =
            Pattern.compile("`(?:([A-Z]\\w*(?:IT|Test))\\b\\.?)?(\\w*)`");

    @Test
    void theTestsThatHoldAClaimAreThere() throws IOException {
        Map<String, String> sources = sources();
        List<String> missing = new ArrayList<>();
        List<String> claims = claims();
        for (String claim : claims) {
            String tests = claim.split("\\|", -1)[2];
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
        assertTrue(claims.size() > 20, claims.size() + " claims");
        assertEquals(List.of(), missing);
    }

    private static List<String> claims() throws IOException {
        String text = Files.readString(ROOT.resolve("docs/security.md"));
        String section =
                text.substring(text.indexOf("## What holds"), text.indexOf("## Under attack"));
        return section.lines().filter(line -> line.startsWith("| ")).skip(1).toList();
    }

    private static Map<String, String> sources() throws IOException {
        try (Stream<Path> all = Files.walk(ROOT)) {
            return all.filter(
                            path -> path.toString().matches(".*/src/test/java/.*(IT|Test)\\.java"))
                    .collect(
                            Collectors.toMap(
                                    path -> path.getFileName().toString().replace(".java", ""),
                                    SecurityDocsTest::read,
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
