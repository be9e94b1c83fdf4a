package org.lrwp.webapp.config;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A form of lines of one's own: text with fields in braces, as {@code {client} {status}}. Two
 * braces stand for one.
 *
 * @param pieces what a line is made of, in order
 */
public record LineTemplate(List<Piece> pieces) {
    private static final Map<String, LogField> FIELDS =
            Arrays.stream(LogField.values())
                    .collect(Collectors.toMap(LogField::word, Function.identity()));

    /**
     * A part of a line.
     *
     * @param text what comes first, as it is
     * @param field what comes then; null for nothing
     */
    public record Piece(String text, @Nullable LogField field) {}

    /** Keeps its own list. */
    public LineTemplate {
        pieces = List.copyOf(pieces);
    }

    /**
     * Reads a template.
     *
     * @param text the template
     * @return what it says
     * @throws IllegalArgumentException when a field is not known, a brace stands alone, or a line
     *     would be more than one line
     */
    public static LineTemplate parse(String text) {
        List<Piece> pieces = new ArrayList<>();
        var literal = new StringBuilder();
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            boolean doubled = at + 1 < text.length() && text.charAt(at + 1) == c;
            if ((c == '{' || c == '}') && doubled) {
                literal.append(c);
                at += 2;
            } else if (c == '{') {
                int end = text.indexOf('}', at);
                pieces.add(new Piece(literal.toString(), field(text, at + 1, end)));
                literal.setLength(0);
                at = end + 1;
            } else if (c == '}' || Character.isISOControl(c)) {
                throw new IllegalArgumentException("'" + c + "' stands alone at " + at);
            } else {
                literal.append(c);
                at++;
            }
        }
        pieces.add(new Piece(literal.toString(), null));
        return new LineTemplate(pieces);
    }

    private static LogField field(String text, int from, int to) {
        LogField field = to < 0 ? null : FIELDS.get(text.substring(from, to));
        if (field == null) {
            throw new IllegalArgumentException("no field begins at " + from);
        }
        return field;
    }

    /** The names of all fields, for who has written another. */
    static String names() {
        return Arrays.stream(LogField.values())
                .map(LogField::word)
                .collect(Collectors.joining(", "));
    }
}
