package org.lrwp.download.http;

import org.jspecify.annotations.Nullable;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The content codings for which there may be a file beside the file: RFC 9110 section 8.4.1. */
public enum Coding {
    /** Zstandard: RFC 8878. */
    ZSTD("zstd", ".zst"),
    /** Brotli: RFC 7932. */
    BROTLI("br", ".br"),
    /** Gzip: RFC 1952. */
    GZIP("gzip", ".gz");

    private static final Pattern WEIGHT =
            Pattern.compile("q=([01](?:\\.[0-9]{0,3})?)", Pattern.CASE_INSENSITIVE);

    private final String token;
    private final String suffix;

    Coding(String token, String suffix) {
        this.token = token;
        this.suffix = suffix;
    }

    /**
     * Returns its name in HTTP.
     *
     * @return the token
     */
    public String token() {
        return token;
    }

    /**
     * Returns what the name of the file beside the file ends with.
     *
     * @return with its dot
     */
    public String suffix() {
        return suffix;
    }

    /**
     * Returns which of the codings a client likes best; among equals the first of this enum.
     *
     * @param acceptEncoding the header, or null: none
     * @param there for which there is a file
     * @return the coding, or null for the file itself
     */
    public static @Nullable Coding choose(@Nullable String acceptEncoding, Set<Coding> there) {
        if (acceptEncoding == null || there.isEmpty()) {
            return null;
        }
        Coding best = null;
        double most = quality(acceptEncoding, "identity", 0);
        for (Coding coding : EnumSet.copyOf(there)) {
            double quality = quality(acceptEncoding, coding.token, quality(acceptEncoding, "*", 0));
            if (quality > 0 && (quality > most || (best == null && quality >= most))) {
                best = coding;
                most = quality;
            }
        }
        return best;
    }

    private static double quality(String header, String token, double otherwise) {
        for (String element : header.split(",", -1)) {
            String[] parts = element.strip().split(";", -1);
            String name = parts[0].strip().toLowerCase(Locale.ROOT);
            if (name.equals(token) || (name.equals("x-gzip") && token.equals("gzip"))) {
                return parts.length < 2 ? 1 : weight(parts[1].strip());
            }
        }
        return otherwise;
    }

    private static double weight(String parameter) {
        Matcher matcher = WEIGHT.matcher(parameter);
        return matcher.matches() ? Double.parseDouble(matcher.group(1)) : 1;
    }
}
