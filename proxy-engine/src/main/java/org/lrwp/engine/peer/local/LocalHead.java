package org.lrwp.engine.peer.local;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.CgiHead;
import org.lrwp.protocol.ContentLength;
import org.lrwp.protocol.HeaderField;
import org.lrwp.protocol.HopByHopFields;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Makes the head of a module's answer what a CGI head would have become: docs/protocol.md section
 * 6.
 */
final class LocalHead {
    private static final HeaderField HTML = new HeaderField("Content-Type", "text/html");

    private LocalHead() {}

    /**
     * Returns the head.
     *
     * @throws IllegalArgumentException for a status outside 200 to 999, a {@code Status} among the
     *     fields, or a {@code Content-Length} that is no number
     */
    static CgiHead of(int status, List<HeaderField> headers) {
        List<HeaderField> fields = new ArrayList<>(headers.size() + 1);
        Long length = null;
        boolean typed = false;
        Set<String> dropped = HopByHopFields.names(connectionOptions(headers));
        for (HeaderField field : headers) {
            String name = field.name().toLowerCase(Locale.ROOT);
            switch (name) {
                case "status" ->
                        throw new IllegalArgumentException("Status is not a header of an answer");
                case "content-length" -> length = length(field.value(), length);
                default -> {
                    typed |= name.equals("content-type");
                    if (!dropped.contains(name)) {
                        fields.add(field);
                    }
                }
            }
        }
        if (!typed && status != 204 && status != 304) {
            fields.add(HTML);
        }
        return new CgiHead(status, "", fields, length);
    }

    private static List<String> connectionOptions(List<HeaderField> headers) {
        List<String> values = List.of();
        for (HeaderField field : headers) {
            if (field.name().equalsIgnoreCase("connection")) {
                List<String> more = new ArrayList<>(values);
                more.add(field.value());
                values = more;
            }
        }
        return values;
    }

    private static Long length(String value, @Nullable Long before) {
        long length = ContentLength.parse(value);
        if (length == ContentLength.UNKNOWN || (before != null && before != length)) {
            throw new IllegalArgumentException("Content-Length is not one number of bytes");
        }
        return length;
    }
}
