package org.lrwp.webapp.config;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lrwp.runtime.configuration.BadConfigurationException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;

class AdminTokensTest {
    @TempDir private Path folder;

    private Map<String, byte[]> read(String text) throws IOException, BadConfigurationException {
        Path file = folder.resolve("tokens");
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return AdminTokens.read("admin.token-file", file);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void oneTokenIsThatOfAdmin() throws Exception {
        assertArrayEquals(bytes("0123456789abcdef=="), read("0123456789abcdef==\n").get("admin"));
    }

    @Test
    void eachLineIsThatOfAnOperator() throws Exception {
        var tokens = read("# ours\nerika = 0123456789abcdef\n\nmax.m = a token with = in it\n");
        assertEquals(Set.of("erika", "max.m"), tokens.keySet());
        assertArrayEquals(bytes("a token with = in it"), tokens.get("max.m"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "short | the token has less than 16 bytes",
                "erika = short | line 1: the token has less than 16 bytes",
                "a = 0123456789abcdef~a = 0123456789abcdeg | line 2: there is a second token of a",
                "a = 0123456789abcdef~0123456789abcdeg | line 2: is not NAME = TOKEN",
                "# nobody~# at all | has no token",
            })
    void anythingElseIsAFaultThatNamesTheLine(String text, String fault) {
        var refused =
                assertThrows(BadConfigurationException.class, () -> read(text.replace('~', '\n')));
        assertTrue(String.valueOf(refused.getMessage()).contains(fault), refused.getMessage());
    }
}
