package org.lrwp.osp.message;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Writes elements as XML documents in UTF-8. Stateless, any thread may call it.
 *
 * <p>By hand: a writer of the XML library takes longer to be set up than such a short document
 * takes to be written, and an answer has two of them for each destination.
 */
public final class ElementWriter {
    private static final String DECLARATION = "<?xml version='1.0' encoding='UTF-8'?>";
    private static final int USUAL_LENGTH = 1_024;
    private static final long ESCAPED = escapedSet();

    private ElementWriter() {}

    /**
     * Writes a document.
     *
     * @param root the document's element; its texts have no characters that XML cannot hold
     * @return its octets; they begin with {@code <?xml}
     */
    public static byte[] write(Element root) {
        StringBuilder text = new StringBuilder(USUAL_LENGTH).append(DECLARATION);
        write(root, text);
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void write(Element element, StringBuilder text) {
        text.append('<').append(element.name());
        if (!element.attributes().isEmpty()) {
            writeAttributes(element.attributes(), text);
        }
        if (element.text().isEmpty() && element.children().isEmpty()) {
            text.append("/>");
            return;
        }
        text.append('>');
        escape(element.text(), text);
        for (Element child : element.children()) {
            write(child, text);
        }
        text.append("</").append(element.name()).append('>');
    }

    private static void writeAttributes(Map<String, String> attributes, StringBuilder text) {
        for (Map.Entry<String, String> attribute : attributes.entrySet()) {
            text.append(' ').append(attribute.getKey()).append("='");
            escape(attribute.getValue(), text);
            text.append('\'');
        }
    }

    /** Hardly any value has something to be escaped. */
    private static void escape(String value, StringBuilder text) {
        int written = 0;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < Long.SIZE && ((ESCAPED >>> c) & 1) != 0) {
                text.append(value, written, i).append(escaped(c));
                written = i + 1;
            }
        }
        if (written == 0) {
            text.append(value);
        } else {
            text.append(value, written, value.length());
        }
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
