package org.lrwp.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.cachemap.CacheMap;
import org.lrwp.cachemap.CacheMapConfig;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

class InspectCommandTest {
    @TempDir private Path folder;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

    private int inspect(String... arguments) {
        out.reset();
        return new InspectCommand(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(errors, true, StandardCharsets.UTF_8))
                .run(arguments);
    }

    private String line(String name) {
        String text = out.toString(StandardCharsets.UTF_8);
        return text.lines()
                .filter(line -> line.startsWith(name + " "))
                .map(line -> line.substring(name.length()).strip())
                .findFirst()
                .orElse("no line in " + text);
    }

    @Test
    void fillAgesAndHitRatioAreShownBesideTheOwnerAndDamageIsFound() throws Exception {
        Path file = folder.resolve("map");
        byte[] value = "something to look for".getBytes(StandardCharsets.US_ASCII);
        try (CacheMap map = CacheMap.open(CacheMapConfig.of(file, 1 << 20))) {
            map.put(1, value);
            map.get(1);
            map.get(1);
            map.get(1);
            map.get(2);

            assertEquals(0, inspect(file.toString()));
            assertEquals("1", line("entries"));
            assertEquals("0.7500", line("hit ratio"));
            assertEquals("process " + ProcessHandle.current().pid(), line("owner"));
            assertTrue(line("written, newest").matches("20[0-9-]+T[0-9:]+Z"), line("written"));
        }
        byte[] bytes = Files.readAllBytes(file);
        int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("something to look for");
        bytes[at] ^= 1;
        Files.write(file, bytes);

        assertEquals(1, inspect(file.toString()));
        assertEquals("1", line("damaged entries"));
        assertEquals("0", line("entries"));
    }

    @Test
    void whatCannotBeLookedAtIsOneSentence() throws Exception {
        assertEquals(2, inspect());
        assertEquals(2, inspect(folder.resolve("none").toString()));
        Files.writeString(folder.resolve("letter"), "dear mother");
        assertEquals(2, inspect(folder.resolve("letter").toString()));
        assertEquals(3, errors.toString(StandardCharsets.UTF_8).lines().count());
        assertTrue(errors.toString(StandardCharsets.UTF_8).contains("is not a cache file"));
    }
}
