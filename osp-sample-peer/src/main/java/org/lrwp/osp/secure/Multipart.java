package org.lrwp.osp.secure;

import org.lrwp.osp.message.MalformedMessageException;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A body of two parts (RFC 2046, section 5.1): what was signed, and the signature.
 *
 * @param first what was signed
 * @param second the signature
 */
record Multipart(Part first, Part second) {
    private static final Pattern BOUNDARY =
            Pattern.compile(
                    ";\\s*boundary\\s*=\\s*(?:\"([^\"]{1,70})\"|([^\\s;\"]{1,70}))",
                    Pattern.CASE_INSENSITIVE);

    private static final Pattern BASE64 =
            Pattern.compile(
                    "^content-transfer-encoding:\\s*base64\\s*$",
                    Pattern.CASE_INSENSITIVE | Pattern.MULTILINE);

    /** One part, head and content, one character for each byte. */
    record Part(String text) {
        /** What a signature is over: all of it. */
        byte[] bytes() {
            return text.getBytes(StandardCharsets.ISO_8859_1);
        }

        byte[] content() throws MalformedMessageException {
            int end = text.startsWith("\r\n") ? 0 : text.indexOf("\r\n\r\n") + 2;
            if (end == 1) {
                throw new MalformedMessageException("a part of the message has no end of its head");
            }
            String content = text.substring(end + 2);
            if (!BASE64.matcher(text.substring(0, end)).find()) {
                return content.getBytes(StandardCharsets.ISO_8859_1);
            }
            try {
                return Base64.getMimeDecoder().decode(content);
            } catch (IllegalArgumentException notBase64) {
                throw new MalformedMessageException("a part of the message is not base64");
            }
        }
    }

    static Multipart of(String contentType, byte[] body) throws MalformedMessageException {
        Matcher boundary = BOUNDARY.matcher(contentType);
        if (!boundary.find()) {
            throw new MalformedMessageException("the signed message has no boundary");
        }
        String name = boundary.group(1) == null ? boundary.group(2) : boundary.group(1);
        String delimiter = "\r\n--" + name;
        String text = "\r\n" + new String(body, StandardCharsets.ISO_8859_1);
        int first = text.indexOf(delimiter);
        int second = first < 0 ? -1 : text.indexOf(delimiter, first + delimiter.length());
        int end = second < 0 ? -1 : text.indexOf(delimiter, second + delimiter.length());
        if (end < 0 || !text.startsWith("--", end + delimiter.length())) {
            throw new MalformedMessageException("the signed message does not have two parts");
        }
        return new Multipart(
                part(text, first + delimiter.length(), second),
                part(text, second + delimiter.length(), end));
    }

    private static Part part(String text, int from, int to) throws MalformedMessageException {
        int line = text.indexOf("\r\n", from);
        if (line < 0 || line + 2 > to) {
            throw new MalformedMessageException("a part of the signed message is empty");
        }
        return new Part(text.substring(line + 2, to));
    }
}
