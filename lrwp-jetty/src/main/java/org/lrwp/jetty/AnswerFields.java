package org.lrwp.jetty;

import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.HeaderField;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The header fields of an answer of Jetty's as the protocol can carry them. */
final class AnswerFields {
    /** Fields of one hop. */
    private static final Set<HttpHeader> NOT_SENT =
            EnumSet.of(
                    HttpHeader.CONNECTION,
                    HttpHeader.KEEP_ALIVE,
                    HttpHeader.TRANSFER_ENCODING,
                    HttpHeader.UPGRADE);

    private AnswerFields() {}

    static List<HeaderField> of(HttpFields headers) {
        List<HeaderField> fields = new ArrayList<>(headers.size());
        for (HttpField field : headers) {
            if (isSent(field)) {
                fields.add(new HeaderField(field.getName(), value(field.getValue())));
            }
        }
        return fields;
    }

    /** In the head of an answer {@code Status} is the protocol's own. */
    private static boolean isSent(HttpField field) {
        HttpHeader known = field.getHeader();
        return known == null ? !field.is("Status") : !NOT_SENT.contains(known);
    }

    /** What has no place in a value is replaced, as Jetty does on a port of its own. */
    private static String value(@Nullable String value) {
        if (value == null || HeaderField.isValue(value)) {
            return value == null ? "" : value;
        }
        StringBuilder sent = new StringBuilder(value.length());
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean control = (c < ' ' && c != '\t') || c == 0x7F;
            sent.append(control ? ' ' : c > 0xFF ? '?' : c);
        }
        return sent.toString();
    }
}
