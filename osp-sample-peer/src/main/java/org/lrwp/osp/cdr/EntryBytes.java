package org.lrwp.osp.cdr;

import org.lrwp.osp.message.Ascii;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The bytes of an entry: a letter, and texts as {@link DataOutputStream#writeUTF} writes them.
 *
 * <p>Nearly all texts are ASCII, which that form writes as it is. Such an entry takes a tenth of
 * the time here; any other is left to the library.
 */
final class EntryBytes {
    private static final int MOST = 65_535;
    private static final int LENGTH = 2;

    private EntryBytes() {}

    static byte[] write(char letter, List<String> texts) {
        int size = 1;
        for (String each : texts) {
            if (!isPlain(each)) {
                return writeAny(letter, texts);
            }
            size += LENGTH + each.length();
        }
        ByteBuffer bytes = ByteBuffer.allocate(size).put((byte) letter);
        for (String each : texts) {
            bytes.putShort((short) each.length());
            bytes.put(each.getBytes(StandardCharsets.ISO_8859_1));
        }
        return bytes.array();
    }

    /** Zero has a form of its own there. */
    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0 || c > 127) {
                return false;
            }
        }
        return text.length() <= MOST;
    }

    private static byte[] writeAny(char letter, List<String> texts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(letter);
            for (String each : texts) {
                out.writeUTF(each);
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    /**
     * Reads the texts of an entry.
     *
     * @param bytes the whole entry, its letter too
     * @param count how many texts
     * @throws IOException when there are fewer
     */
    static List<String> read(byte[] bytes, int count) throws IOException {
        String[] texts = new String[count];
        // Lengths are among the bytes: a text of 128 or more may have a byte that is not.
        if (!Ascii.isAscii(bytes)) {
            return readAny(bytes, texts);
        }
        int at = 1;
        for (int i = 0; i < count; i++) {
            int length = at + LENGTH > bytes.length ? MOST : bytes[at] << 8 | bytes[at + 1];
            at += LENGTH;
            if (length > bytes.length - at) {
                throw new IOException("an entry ends too early");
            }
            texts[i] = new String(bytes, at, length, StandardCharsets.ISO_8859_1);
            at += length;
        }
        return List.of(texts);
    }

    private static List<String> readAny(byte[] bytes, String[] texts) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            in.readByte();
            for (int i = 0; i < texts.length; i++) {
                texts[i] = in.readUTF();
            }
            return List.of(texts);
        }
    }
}
