package org.lrwp.webapp.config;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A page of one's own for errors of the proxy: a text in which names in braces stand for what is
 * known of the error. All other braces are text.
 *
 * @param kind what it is
 * @param pieces what it is made of, in order
 */
public record ErrorPage(Kind kind, List<Piece> pieces) {
    private static final Pattern NAMES =
            Pattern.compile(
                    Arrays.stream(Field.values())
                            .map(field -> field.name().toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining("|", "\\{(", ")\\}")));

    /** What can stand in a page. */
    public enum Field {
        /** The HTTP status. */
        STATUS,
        /** The reason word. */
        REASON,
        /** A sentence for people. */
        MESSAGE,
        /** The request id. */
        ID,
        /** The id of the trace; empty when there is none. */
        TRACE
    }

    /** What a page is, which the end of its file's name tells. */
    public enum Kind {
        /** For browsers. */
        HTML("text/html;charset=utf-8"),
        /** For whoever reads lines. */
        TXT("text/plain;charset=utf-8"),
        /** For programs that ask for JSON. */
        JSON("application/json");

        private final String contentType;

        Kind(String contentType) {
            this.contentType = contentType;
        }

        /**
         * Returns the value of Content-Type.
         *
         * @return media type and character set
         */
        public String contentType() {
            return contentType;
        }

        /** The kind of a file; null when its name says none. */
        static @Nullable Kind of(String file) {
            String name = file.toLowerCase(Locale.ROOT);
            for (Kind kind : values()) {
                if (name.endsWith("." + kind.name().toLowerCase(Locale.ROOT))) {
                    return kind;
                }
            }
            return null;
        }
    }

    /**
     * A part of a page.
     *
     * @param text what comes first, as it is
     * @param field what comes then; null for nothing
     */
    public record Piece(String text, @Nullable Field field) {}

    /** Keeps its own list. */
    public ErrorPage {
        Objects.requireNonNull(kind, "kind");
        pieces = List.copyOf(pieces);
    }

    /**
     * Reads a page.
     *
     * @param kind what it is
     * @param text the page
     * @return its parts
     */
    public static ErrorPage parse(Kind kind, String text) {
        List<Piece> pieces = new ArrayList<>();
        Matcher matcher = NAMES.matcher(text);
        int at = 0;
        while (matcher.find()) {
            Field field = Field.valueOf(matcher.group(1).toUpperCase(Locale.ROOT));
            pieces.add(new Piece(text.substring(at, matcher.start()), field));
            at = matcher.end();
        }
        pieces.add(new Piece(text.substring(at), null));
        return new ErrorPage(kind, pieces);
    }

    /**
     * Writes the page for one error.
     *
     * @param values what is known of the error; escaped here
     * @return the page
     */
    public String fill(Function<Field, String> values) {
        var page = new StringBuilder();
        for (Piece piece : pieces) {
            page.append(piece.text());
            Field field = piece.field();
            if (field != null) {
                append(page, values.apply(field));
            }
        }
        return page.toString();
    }

    private void append(StringBuilder page, String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (kind) {
                case HTML -> appendHtml(page, c);
                case JSON -> appendJson(page, c);
                case TXT -> page.append(c);
            }
        }
    }

    private static void appendHtml(StringBuilder page, char c) {
        switch (c) {
            case '&' -> page.append("&amp;");
            case '<' -> page.append("&lt;");
            case '>' -> page.append("&gt;");
            case '"' -> page.append("&quot;");
            case '\'' -> page.append("&#39;");
            default -> page.append(c);
        }
    }

    private static void appendJson(StringBuilder page, char c) {
        if (c == '"' || c == '\\') {
            page.append('\\').append(c);
        } else if (c < ' ') {
            page.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
        } else {
            page.append(c);
        }
    }
}
