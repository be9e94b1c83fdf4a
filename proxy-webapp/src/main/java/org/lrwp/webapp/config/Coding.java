package org.lrwp.webapp.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How answers can be compressed: RFC 9110 section 8.4.1, RFC 7932, RFC 8878. */
public enum Coding {
    /** DEFLATE with the JDK's zlib. */
    GZIP,
    /** Brotli. */
    BR,
    /** Zstandard. */
    ZSTD;

    /**
     * Returns its name in {@code Accept-Encoding} and {@code Content-Encoding}.
     *
     * @return in lower case
     */
    public String token() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Reads several as users write them.
     *
     * @param names {@code off} alone, or the names of codings
     * @return each once, the best first
     * @throws IllegalArgumentException when one is none, or stands there twice
     */
    static List<Coding> parse(List<String> names) {
        List<Coding> codings = new ArrayList<>();
        if (names.equals(List.of("off"))) {
            return codings;
        }
        for (String name : names) {
            Coding coding = valueOf(name.toUpperCase(Locale.ROOT));
            if (codings.contains(coding)) {
                throw new IllegalArgumentException(name);
            }
            codings.add(coding);
        }
        if (codings.isEmpty()) {
            throw new IllegalArgumentException("none");
        }
        return codings;
    }
}
