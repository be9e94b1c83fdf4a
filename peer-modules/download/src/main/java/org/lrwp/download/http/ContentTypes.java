package org.lrwp.download.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Media types by the endings of names. Immutable. */
public final class ContentTypes {
    private static final String UNKNOWN = "application/octet-stream";

    private final Map<String, String> types;

    private ContentTypes(Map<String, String> types) {
        this.types = Map.copyOf(types);
    }

    /**
     * Returns the usual types.
     *
     * @return those of the module's own table
     */
    public static ContentTypes usual() {
        try (InputStream in = ContentTypes.class.getResourceAsStream("mime.types")) {
            if (in == null) {
                throw new IllegalStateException("the table of types is missing");
            }
            return new ContentTypes(parse(new String(in.readAllBytes(), StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException("the table of types cannot be read", e);
        }
    }

    /**
     * Returns these types and others, which take precedence.
     *
     * @param table lines of a type and its endings, as in the {@code mime.types} of web servers
     * @return new types
     */
    public ContentTypes with(String table) {
        Map<String, String> all = new HashMap<>(types);
        all.putAll(parse(table));
        return new ContentTypes(all);
    }

    private static Map<String, String> parse(String table) {
        Map<String, String> types = new HashMap<>();
        for (String line : table.lines().toList()) {
            String[] words =
                    line.replaceFirst("#.*", "").replace(";", "").strip().split("\\s+", -1);
            for (int i = 1; i < words.length; i++) {
                types.put(words[i].toLowerCase(Locale.ROOT), words[0]);
            }
        }
        return types;
    }

    /**
     * Returns the type of a file.
     *
     * @param name its name
     * @return the type, text with its charset
     */
    public String of(String name) {
        int dot = name.lastIndexOf('.');
        String ending = name.substring(dot + 1).toLowerCase(Locale.ROOT);
        String type = dot < 0 ? UNKNOWN : types.getOrDefault(ending, UNKNOWN);
        return type.startsWith("text/") ? type + "; charset=utf-8" : type;
    }
}
