package org.lrwp.osp.message;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Decodes messages. The parser of the JDK could do so itself, but prints to standard error what it
 * cannot decode; strangers shall not write there.
 */
final class MessageText {
    private static final Pattern DECLARATION =
            Pattern.compile("^<\\?xml[^>]*?\\sencoding\\s*=\\s*[\"']([A-Za-z0-9._-]{1,40})[\"']");

    private static final int DECLARATION_WITHIN = 200;
    private static final char MARK = '\uFEFF';

    private MessageText() {}

    /**
     * Decodes a message: UTF-16 with a byte order mark, else what its XML declaration says, else
     * UTF-8.
     */
    static String decode(byte[] bytes) throws MalformedMessageException {
        Charset charset = charset(bytes);
        // As nearly every message.
        if (charset.equals(StandardCharsets.UTF_8) && Ascii.isAscii(bytes)) {
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
        try {
            String text = charset.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return !text.isEmpty() && text.charAt(0) == MARK ? text.substring(1) : text;
        } catch (CharacterCodingException | UnsupportedOperationException notText) {
            throw new MalformedMessageException(
                    "the message is not text in " + charset.name(), notText);
        }
    }

    private static Charset charset(byte[] bytes) throws MalformedMessageException {
        if (bytes.length >= 2) {
            int mark = (bytes[0] & 0xFF) << 8 | (bytes[1] & 0xFF);
            if (mark == 0xFEFF || mark == 0xFFFE) {
                return StandardCharsets.UTF_16;
            }
        }
        int length = Math.min(bytes.length, DECLARATION_WITHIN);
        String head = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
        int end = head.indexOf("?>");
        if (end >= 0 && head.lastIndexOf("encoding", end) < 0) {
            return StandardCharsets.UTF_8;
        }
        Matcher declaration = DECLARATION.matcher(head);
        if (!declaration.find()) {
            return StandardCharsets.UTF_8;
        }
        try {
            return Charset.forName(declaration.group(1));
        } catch (IllegalArgumentException unknown) {
            throw new MalformedMessageException("the message's encoding is not known", unknown);
        }
    }
}
