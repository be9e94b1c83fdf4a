package org.lrwp.osp.cdr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

final class EntryBytesTest {
    static List<List<String>> entries() {
        return List.of(
                List.of("", "a", "2026-11-22T12:00:00.000Z"),
                List.of("x".repeat(127), "", "~"),
                List.of("x".repeat(128), "y".repeat(300), ""),
                List.of("zero \0 inside", "a", "b"),
                List.of("caf\u00e9", "\u20ac", "\ud83d\ude00"),
                List.of("plain", "\u007f", "\u0080"));
    }

    /** Entries that an earlier process left in the journal are in the library's form. */
    @ParameterizedTest
    @MethodSource("entries")
    void entriesAreWrittenAndReadAsTheLibraryWritesThem(List<String> texts) throws IOException {
        byte[] bytes = EntryBytes.write('u', texts);

        assertArrayEquals(byLibrary(texts), bytes);
        assertEquals(texts, EntryBytes.read(bytes, texts.size()));
    }

    @Test
    void anEntryThatEndsTooEarlyIsAnError() {
        byte[] bytes = EntryBytes.write('u', List.of("one", "two"));

        for (int length = 1; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThrows(IOException.class, () -> EntryBytes.read(cut, 2));
        }
        assertThrows(IOException.class, () -> EntryBytes.read(bytes, 3));
    }

    private static byte[] byLibrary(List<String> texts) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte('u');
            for (String each : texts) {
                out.writeUTF(each);
            }
        }
        return bytes.toByteArray();
    }
}
