package org.lrwp.protocol;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Reads the lines of one CGI head and applies the rules of docs/protocol.md section 6. */
final class CgiHeadReader {
    private final List<HeaderField> fields = new ArrayList<>();
    private @Nullable String status;
    private @Nullable Long contentLength;
    private boolean hasLocation;

    private CgiHeadReader() {}

    static CgiHead read(byte[] octets, int length) throws MalformedFrameException {
        String text = new String(octets, 0, length, StandardCharsets.ISO_8859_1);
        var reader = new CgiHeadReader();
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
        int space = line.indexOf(' ');
        if (!line.startsWith("HTTP/1.") || space < 0) {
            throw new MalformedFrameException("status line is not HTTP/1.x");
        }
        status = line.substring(space + 1).strip();
    }

    private void field(String line) throws MalformedFrameException {
        int colon = line.indexOf(':');
        if (colon < 0) {
            throw new MalformedFrameException("header line without a colon");
        }
        String name = line.substring(0, colon);
        String value = line.substring(colon + 1).strip();
        if (!HeaderField.isToken(name)) {
            throw new MalformedFrameException("header name is not a token");
        }
        if (!HeaderField.isValue(value)) {
            throw new MalformedFrameException("CR, LF, NUL or control in value of " + name);
        }
        switch (name.toLowerCase(Locale.ROOT)) {
            case "status" -> status = value;
            case "content-length" -> contentLength(value);
            case "location" -> {
                hasLocation = true;
                fields.add(new HeaderField(name, value));
            }
            default -> fields.add(new HeaderField(name, value));
        }
    }

    private void contentLength(String value) throws MalformedFrameException {
        if (value.isEmpty()
                || value.length() > 18
                || !value.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new MalformedFrameException("Content-Length is not a number of octets");
        }
        Long length = Long.valueOf(value);
        if (contentLength != null && !contentLength.equals(length)) {
            throw new MalformedFrameException("two different Content-Length");
        }
        contentLength = length;
    }

    private CgiHead head() throws MalformedFrameException {
        int code = hasLocation ? 302 : 200;
        String reason = "";
        if (status != null) {
            code = code(status);
            reason = status.length() > 3 ? status.substring(3).strip() : "";
        }
        List<String> connection = new ArrayList<>();
        boolean hasType = false;
        for (HeaderField field : fields) {
            if (field.name().equalsIgnoreCase("connection")) {
                connection.add(field.value());
            }
            hasType |= field.name().equalsIgnoreCase("content-type");
        }
        Set<String> dropped = HopByHopFields.names(connection);
        fields.removeIf(field -> dropped.contains(field.name().toLowerCase(Locale.ROOT)));
        if (!hasType && code != 204 && code != 304) {
            fields.add(new HeaderField("Content-Type", "text/html"));
        }
        return new CgiHead(code, reason, fields, contentLength);
    }

    private static int code(String status) throws MalformedFrameException {
        boolean digits =
                status.length() >= 3
                        && status.substring(0, 3).chars().allMatch(c -> c >= '0' && c <= '9')
                        && (status.length() == 3 || status.charAt(3) == ' ');
        int code = digits ? Integer.parseInt(status, 0, 3, 10) : 0;
        if (code < 200) {
            throw new MalformedFrameException("Status is not a final HTTP status of three digits");
        }
        return code;
    }
}
