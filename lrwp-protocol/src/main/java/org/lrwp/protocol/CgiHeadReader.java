package org.lrwp.protocol;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Reads the lines of one CGI head and applies the rules of docs/protocol.md section 6. */
final class CgiHeadReader {
    private final boolean upgrades;
    private final List<HeaderField> fields = new ArrayList<>();
    private @Nullable String status;
    private boolean statusLineSeen;
    private @Nullable Long contentLength;
    private boolean hasLocation;

    private CgiHeadReader(boolean upgrades) {
        this.upgrades = upgrades;
    }

    /** Reads a head; one with the status 101 only where upgrades are possible. */
    static CgiHead read(byte[] bytes, int length, boolean upgrades) throws MalformedFrameException {
        String text = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
        var reader = new CgiHeadReader(upgrades);
        int start = 0;
        while (start < text.length()) {
            int end = text.indexOf('\n', start);
            int lineEnd = end > start && text.charAt(end - 1) == '\r' ? end - 1 : end;
            String line = text.substring(start, lineEnd);
            if (start == 0 && line.startsWith("HTTP/")) {
                reader.statusLine(line);
            } else if (!line.isEmpty()) {
                reader.field(line);
            }
            start = end + 1;
        }
        return reader.head();
    }

    private void statusLine(String line) throws MalformedFrameException {
        int codeStart = "HTTP/1.x ".length();
        if (line.length() < codeStart
                || !line.startsWith("HTTP/1.")
                || !isDigit(line.charAt(codeStart - 2))
                || line.charAt(codeStart - 1) != ' ') {
            throw new MalformedFrameException("status line is not HTTP/1.x");
        }
        status = trimmed(line.substring(codeStart));
        if (!HeaderField.isValue(status)) {
            throw new MalformedFrameException("control in the status line");
        }
        statusLineSeen = true;
    }

    private void field(String line) throws MalformedFrameException {
        int colon = line.indexOf(':');
        if (colon < 0) {
            throw new MalformedFrameException("header line without a colon");
        }
        String name = line.substring(0, nameEnd(line, colon));
        String value = trimmed(line.substring(colon + 1));
        if (!HeaderField.isToken(name)) {
            throw new MalformedFrameException("header name is not a token");
        }
        if (!HeaderField.isValue(value)) {
            throw new MalformedFrameException("CR, LF, NUL or control in value of " + name);
        }
        switch (name.toLowerCase(Locale.ROOT)) {
            case "status" -> status = statusLineSeen ? status : value;
            case "content-length" -> contentLength(value);
            case "location" -> {
                hasLocation = true;
                fields.add(new HeaderField(name, value));
            }
            default -> fields.add(new HeaderField(name, value));
        }
    }

    private void contentLength(String value) throws MalformedFrameException {
        long length = ContentLength.parse(value);
        if (length == ContentLength.UNKNOWN) {
            throw new MalformedFrameException("Content-Length is not a number of bytes");
        }
        if (contentLength != null && contentLength != length) {
            throw new MalformedFrameException("two different Content-Length");
        }
        contentLength = length;
    }

    private CgiHead head() throws MalformedFrameException {
        int code = hasLocation ? 302 : 200;
        String reason = "";
        if (status != null) {
            code = code(status);
            reason = trimmed(status.substring(3));
        }
        List<String> connection = new ArrayList<>();
        for (HeaderField field : fields) {
            if (field.name().equalsIgnoreCase("connection")) {
                connection.add(field.value());
            }
        }
        Set<String> dropped = HopByHopFields.names(connection);
        boolean switching = code == CgiHead.SWITCHING_PROTOCOLS;
        fields.removeIf(field -> isDropped(field, dropped, switching));
        if (switching) {
            return new CgiHead(code, reason, fields, null);
        }
        boolean hasType = false;
        for (HeaderField field : fields) {
            hasType |= field.name().equalsIgnoreCase("content-type");
        }
        if (!hasType && code != 204 && code != 304) {
            fields.add(new HeaderField("Content-Type", "text/html"));
        }
        return new CgiHead(code, reason, fields, contentLength);
    }

    private static boolean isDropped(HeaderField field, Set<String> dropped, boolean switching) {
        String name = field.name().toLowerCase(Locale.ROOT);
        return dropped.contains(name) && !(switching && name.equals("upgrade"));
    }

    private int code(String status) throws MalformedFrameException {
        boolean digits =
                status.length() >= 3
                        && isDigit(status.charAt(0))
                        && isDigit(status.charAt(1))
                        && isDigit(status.charAt(2))
                        && (status.length() == 3 || status.charAt(3) == ' ');
        int code = digits ? Integer.parseInt(status, 0, 3, 10) : 0;
        if (code < 200 && !(upgrades && code == CgiHead.SWITCHING_PROTOCOLS)) {
            throw new MalformedFrameException("Status is not a final HTTP status of three digits");
        }
        return code;
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    /** Old programs put blanks before the colon; RFC 9112 section 5.1 has a proxy remove them. */
    private static int nameEnd(String line, int colon) {
        int end = colon;
        while (end > 0 && isBlank(line.charAt(end - 1))) {
            end--;
        }
        return end;
    }

    /** Only blanks and tabs go: a CR or another control at an end must still be seen. */
    private static String trimmed(String text) {
        int start = 0;
        int end = text.length();
        while (start < end && isBlank(text.charAt(start))) {
            start++;
        }
        while (end > start && isBlank(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(start, end);
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }
}
