package org.lrwp.http1;

import org.jspecify.annotations.Nullable;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** The kinds of disagreement with other readers that are known: one row of docs/http1.md each. */
enum Disagreement {
    BEFORE_REQUEST("Controls, spaces or a lone LF before a request", Readers.BOTH),
    LINE_FEED("LF alone ends a line", Readers.JETTY),
    SEPARATORS("Other white space than one space in the first line", Readers.BOTH),
    METHOD("Method that is no token", Readers.JETTY),
    TARGET_CHARACTERS("Target with controls, `#` or bytes above 127", Readers.BOTH),
    TARGET_FORM("Target of no form that the method takes", Readers.BOTH),
    VERSION_FORM("Version in lower case or of another form", Readers.BOTH),
    MAJOR_VERSION("Major version other than 1", Readers.BOTH),
    NO_HOST("HTTP/1.1 without Host", Readers.NETTY),
    TWO_HOSTS("More than one Host", Readers.NETTY),
    HOST_VALUE("Host that is no host with or without a port", Readers.BOTH),
    FOLDED("Field or trailer on more than one line", Readers.NETTY),
    CONTENT_TYPES("More than one Content-Type", Readers.BOTH),
    LENGTH_DIGITS("Content-Length of more than 18 digits", Readers.BOTH),
    OTHER_CODING("Transfer-Encoding with another coding before chunked", Readers.BOTH),
    CODING_LINES("Transfer-Encoding on more than one line", Readers.BOTH),
    CODING_IN_10("Transfer-Encoding in HTTP/1.0", Readers.JETTY),
    EXTENSION("Chunk extension that breaks the grammar", Readers.NETTY),
    CHUNK_DIGITS("Size of a chunk of more than 15 digits", Readers.JETTY),
    OVERHEAD("Extensions and trailers above their limit", Readers.BOTH),
    FIELD_COUNT("More fields than the limit", Readers.BOTH),
    CODING_ABOVE_11("Transfer-Encoding in HTTP/1.2 to HTTP/1.9", Readers.BOTH),
    MINOR_VERSION("HTTP/1.2 to HTTP/1.9", Readers.JETTY),
    EMPTY_PORT("Host with a colon and no port, or port 0", Readers.JETTY),
    EXTENSION_BYTES("Quoted chunk extension with bytes above 127", Readers.NETTY),
    LARGE_CHUNK("Chunk above 2 GiB", Readers.NETTY),
    LEADING_ZEROS("Size of a chunk with many leading zeros", Readers.JETTY),
    VALUE_CASE("Value of a field in another case", Readers.JETTY);

    private static final Pattern NO_FIRST_BYTE =
            Pattern.compile(
                    "(\r\n)*([\u0000-\\x09\\x0b-\\x0c\\x0e-\\x20\\x7f]|\n|\r[^\n]).*",
                    Pattern.DOTALL);
    private static final Pattern FIRST_LINE =
            Pattern.compile(
                    "(\r\n)*[^ \t\r\n\u000b\f]+ [^ \t\r\n\u000b\f]+ [^ \t\r\n\u000b\f]+\r?\n.*",
                    Pattern.DOTALL);
    private static final Pattern ABOVE_11 =
            Pattern.compile("(\r\n)*[^\r\n]* HTTP/1\\.[2-9]\r\n.*", Pattern.DOTALL);
    private static final Pattern ENDS_WITH_COLON =
            Pattern.compile(
                    ".*\r\nhost:[^\r\n]*:0*[ \t]*\r\n.*",
                    Pattern.DOTALL | Pattern.CASE_INSENSITIVE);
    private static final Pattern ZEROS =
            Pattern.compile(".*\r\n0{6,}[0-9a-fA-F]*[ \t]*[;\r].*", Pattern.DOTALL);
    private static final Pattern BYTES_IN_EXTENSION =
            Pattern.compile(".*\r\n[0-9a-fA-F]+[ \t]*;[^\r\n]*[\u0080-\u00ff].*", Pattern.DOTALL);
    private static final Pattern LARGE =
            Pattern.compile(".*\r\n0*[0-9a-fA-F]{8,}[ \t]*[;\r].*", Pattern.DOTALL);

    private enum Readers {
        NETTY,
        JETTY,
        BOTH
    }

    private final String row;
    private final Readers readers;

    Disagreement(String row, Readers readers) {
        this.row = row;
        this.readers = readers;
    }

    /** The first cell of its row. */
    String row() {
        return row;
    }

    /** Whether a reader sees it in another way. */
    boolean isOf(String reader) {
        return readers == Readers.BOTH || readers.name().equalsIgnoreCase(reader);
    }

    /** The kind of a comparison; null when it is of none. */
    static @Nullable Disagreement of(Comparison one) {
        return switch (one.what()) {
            case LENIENT -> lenient(one);
            case STRICT -> strict(one);
            case DIFFERENT -> different(one);
            case LATER -> null;
        };
    }

    private static @Nullable Disagreement lenient(Comparison one) {
        String rule = one.rule().substring(4);
        if (NO_FIRST_BYTE.matcher(one.text()).matches()) {
            return BEFORE_REQUEST;
        }
        boolean inLine =
                rule.startsWith("method")
                        || rule.startsWith("TLS on a port")
                        || rule.startsWith("target holds")
                        || rule.equals("no target")
                        || rule.startsWith("first line");
        if (inLine && !FIRST_LINE.matcher(one.text()).matches()) {
            return SEPARATORS;
        }
        boolean inHead = inLine || rule.startsWith("name of a field") || rule.startsWith("value");
        if (inHead && one.refused() == '\n') {
            return LINE_FEED;
        }
        return byRule(rule);
    }

    private static @Nullable Disagreement byRule(String rule) {
        return switch (rule) {
            case "method is not a token", "TLS on a port that speaks plain HTTP" -> METHOD;
            case "target holds a character that must be encoded" -> TARGET_CHARACTERS;
            case "target is of no form that its method takes" -> TARGET_FORM;
            case "first line does not end with a version of HTTP" -> VERSION_FORM;
            case "version of HTTP other than 1" -> MAJOR_VERSION;
            case "no Host" -> NO_HOST;
            case "more than one Host" -> TWO_HOSTS;
            case "Host is not a host with or without a port" -> HOST_VALUE;
            case "a field's line begins with white space", "name of a trailer is not a token" ->
                    FOLDED;
            case "more than one Content-Type" -> CONTENT_TYPES;
            case "Content-Length is not a number of at most 18 digits" -> LENGTH_DIGITS;
            case "Transfer-Encoding other than chunked" -> OTHER_CODING;
            case "chunked is not the last Transfer-Encoding", "more than one Transfer-Encoding" ->
                    CODING_LINES;
            case "Transfer-Encoding in HTTP/1.0" -> CODING_IN_10;
            case "what follows the size of a chunk is no extension" -> EXTENSION;
            case "size of a chunk has more than 15 digits" -> CHUNK_DIGITS;
            case "extensions and trailers of the chunks are above 1024 bytes" -> OVERHEAD;
            case "more than 100 fields" -> FIELD_COUNT;
            default -> null;
        };
    }

    /** The first kind of that reader whose sign the request shows. */
    private static @Nullable Disagreement strict(Comparison one) {
        String text = one.text();
        boolean chunked = text.toLowerCase(Locale.ROOT).contains("\r\ntransfer-encoding:");
        Map<Disagreement, Boolean> signs = new EnumMap<>(Disagreement.class);
        signs.put(MINOR_VERSION, ABOVE_11.matcher(text).matches());
        signs.put(CODING_ABOVE_11, chunked && ABOVE_11.matcher(text).matches());
        signs.put(EMPTY_PORT, ENDS_WITH_COLON.matcher(text).matches());
        signs.put(EXTENSION_BYTES, chunked && BYTES_IN_EXTENSION.matcher(text).matches());
        signs.put(LARGE_CHUNK, chunked && LARGE.matcher(text).matches());
        signs.put(LEADING_ZEROS, chunked && ZEROS.matcher(text).matches());
        return signs.entrySet().stream()
                .filter(sign -> sign.getValue() && sign.getKey().isOf(one.reader()))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(null);
    }

    private static @Nullable Disagreement different(Comparison one) {
        return String.valueOf(one.ours()).equalsIgnoreCase(String.valueOf(one.theirs()))
                ? VALUE_CASE
                : null;
    }
}
