package org.lrwp.osp.message;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;

/**
 * Writes elements as XML documents in UTF-8. Any thread may call it.
 *
 * <p>By hand: a writer of the XML library takes longer to be set up than such a short document
 * takes to be written, and an answer has two of them for each destination. Bytes right away: nearly
 * all of what is written is ASCII, so there is nothing to encode.
 */
public final class ElementWriter {
    private static final byte[] DECLARATION =
            "<?xml version='1.0' encoding='UTF-8'?>".getBytes(StandardCharsets.US_ASCII);

    private static final int USUAL_LENGTH = 1_024;
    private static final long ESCAPED = escapedSet();

    private byte[] bytes = new byte[USUAL_LENGTH];
    private int count;

    private ElementWriter() {}

    /**
     * Writes a document.
     *
     * @param root the document's element; its texts have no characters that XML cannot hold
     * @return its bytes; they begin with {@code <?xml}
     */
    public static byte[] write(Element root) {
        ElementWriter writer = new ElementWriter();
        writer.put(DECLARATION);
        writer.element(root);
        return Arrays.copyOf(writer.bytes, writer.count);
    }

    private void element(Element element) {
        put('<');
        text(element.name());
        if (!element.attributes().isEmpty()) {
            attributes(element.attributes());
        }
        if (element.text().isEmpty() && element.children().isEmpty()) {
            put('/');
            put('>');
            return;
        }
        put('>');
        text(element.text());
        for (Element child : element.children()) {
            element(child);
        }
        put('<');
        put('/');
        text(element.name());
        put('>');
    }

    private void attributes(Map<String, String> attributes) {
        for (Map.Entry<String, String> attribute : attributes.entrySet()) {
            put(' ');
            text(attribute.getKey());
            put('=');
            put('\'');
            text(attribute.getValue());
            put('\'');
        }
    }

    /** Writes a text, or a name, which has nothing that is escaped. */
    private void text(String text) {
        int length = text.length();
        reserve(length);
        int at = count;
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c > 127 || isEscaped(c)) {
                unusual(text);
                return;
            }
            bytes[at++] = (byte) c;
        }
        count = at;
    }

    private void unusual(String text) {
        for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
            if (each >= 0 && isEscaped((char) each)) {
                put(escaped((char) each).getBytes(StandardCharsets.US_ASCII));
            } else {
                put((char) each);
            }
        }
    }

    private void put(byte[] more) {
        reserve(more.length);
        System.arraycopy(more, 0, bytes, count, more.length);
        count += more.length;
    }

    private void put(char value) {
        reserve(1);
        bytes[count++] = (byte) value;
    }

    private void reserve(int more) {
        if (more > bytes.length - count) {
            bytes = Arrays.copyOf(bytes, Math.max(count + more, 2 * bytes.length));
        }
    }

    private static boolean isEscaped(char c) {
        return c < Long.SIZE && ((ESCAPED >>> c) & 1) != 0;
    }

    /** A bit for each character that is escaped; they are all among the first 64. */
    private static long escapedSet() {
        long set = 0;
        for (char c = 0; c < Long.SIZE; c++) {
            set |= escaped(c).isEmpty() ? 0 : 1L << c;
        }
        return set;
    }

    /**
     * Line ends would be read back as spaces inside attributes, a carriage return as a line end.
     */
    private static String escaped(char c) {
        return switch (c) {
            case '&' -> "&amp;";
            case '<' -> "&lt;";
            case '>' -> "&gt;";
            case '"' -> "&quot;";
            case '\'' -> "&apos;";
            case '\r' -> "&#13;";
            case '\n' -> "&#10;";
            case '\t' -> "&#9;";
            default -> "";
        };
    }
}
