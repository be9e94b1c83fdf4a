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

    /**
     * A URL or target without the values of secret parameters, in its query and behind its {@code
     * #}, where OAuth 2.0 has tokens.
     */
    String url(String url) {
        int hash = url.indexOf('#');
        String before = hash < 0 ? url : url.substring(0, hash);
        int query = before.indexOf('?');
        String clean =
                query < 0
                        ? before
                        : before.substring(0, query + 1) + parameters(before.substring(query + 1));
        return hash < 0 ? clean : clean + "#" + parameters(url.substring(hash + 1));
    }

    private String parameters(String text) {
        List<String> parameters = new ArrayList<>();
        for (String parameter : text.split("&", -1)) {
            int equals = parameter.indexOf('=');
            boolean secret = equals > 0 && hides(decoded(parameter.substring(0, equals)));
            parameters.add(secret ? parameter.substring(0, equals + 1) + MASKED : parameter);
        }
        return String.join("&", parameters);
    }

    private static String decoded(String name) {
        try {
            return URLDecoder.decode(name, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notEncoded) {
            return name;
        }
    }
}
