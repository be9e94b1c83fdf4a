package org.lrwp.webapp.inspector;

import org.lrwp.protocol.HeaderField;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Takes secrets out of heads: values of header fields, and of parameters in URLs.
 *
 * @param names of fields and parameters, in lower case
 */
record Mask(Set<String> names) {
    /** What stands in the place of a secret. */
    static final String MASKED = "***";

    /** Fields that always are secrets. */
    private static final Set<String> SECRET =
            Set.of("authorization", "cookie", "proxy-authorization", "set-cookie");

    /** Fields that are URLs. */
    private static final Set<String> URLS = Set.of("content-location", "location", "referer");

    Mask {
        names = Set.copyOf(names);
    }

    boolean hides(String field) {
        String lower = field.toLowerCase(Locale.ROOT);
        return SECRET.contains(lower) || names.contains(lower);
    }

    List<HeaderField> fields(List<HeaderField> fields) {
        List<HeaderField> clean = new ArrayList<>(fields.size());
        for (HeaderField field : fields) {
            if (hides(field.name())) {
                clean.add(new HeaderField(field.name(), MASKED));
            } else if (URLS.contains(field.name().toLowerCase(Locale.ROOT))) {
                clean.add(new HeaderField(field.name(), url(field.value())));
            } else {
                clean.add(field);
            }
        }
        return clean;
    }

    /** A URL or target without the values of secret parameters. */
    String url(String url) {
        int query = url.indexOf('?');
        if (query < 0 || names.isEmpty()) {
            return url;
        }
        int end = url.indexOf('#', query);
        end = end < 0 ? url.length() : end;
        List<String> parameters = new ArrayList<>();
        for (String parameter : url.substring(query + 1, end).split("&", -1)) {
            int equals = parameter.indexOf('=');
            boolean secret = equals > 0 && names.contains(decoded(parameter.substring(0, equals)));
            parameters.add(secret ? parameter.substring(0, equals + 1) + MASKED : parameter);
        }
        return url.substring(0, query + 1) + String.join("&", parameters) + url.substring(end);
    }

    private static String decoded(String name) {
        try {
            return URLDecoder.decode(name, StandardCharsets.UTF_8).toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException notEncoded) {
            return name.toLowerCase(Locale.ROOT);
        }
    }
}
