package org.lrwp.sdk;

import org.lrwp.protocol.CgiHead;
import org.lrwp.protocol.HeaderField;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The CGI head of an answer: docs/protocol.md section 5. */
final class ResponseHead {
    private ResponseHead() {}

    static void check(int status, List<HeaderField> headers) {
        if (status < 200 || status > 999) {
            throw new IllegalArgumentException("status " + status + " is not within 200 to 999");
        }
        if (has("Status", headers)) {
            throw new IllegalArgumentException("Status is not a header of an answer");
        }
    }

    static boolean has(String name, List<HeaderField> headers) {
        return headers.stream().anyMatch(field -> field.name().equalsIgnoreCase(name));
    }

    /** Returns the head of an answer that goes over to another protocol. */
    static byte[] upgrade(String protocol, List<HeaderField> headers) {
        List<HeaderField> fields = new ArrayList<>();
        fields.add(new HeaderField("Upgrade", protocol));
        fields.add(new HeaderField("Connection", "Upgrade"));
        fields.addAll(headers);
        return encode(CgiHead.SWITCHING_PROTOCOLS, fields);
    }

    /** Returns the head with its blank line. */
    static byte[] encode(int status, List<HeaderField> headers) {
        StringBuilder text = new StringBuilder(128);
        for (HeaderField field : headers) {
            text.append(field.name()).append(": ").append(field.value()).append("\r\n");
        }
        // Last, because in original servers a Location clears the status that stands before it.
        text.append("Status: ").append(status);
        text.append(' ').append(StatusReason.of(status)).append("\r\n\r\n");
        return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
