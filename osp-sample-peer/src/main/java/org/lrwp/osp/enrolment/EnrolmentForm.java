package org.lrwp.osp.enrolment;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * What a gateway asks for: names and values as in a query.
 *
 * @param values values by name
 */
record EnrolmentForm(Map<String, String> values) {
    private static final int MOST = 32;

    EnrolmentForm {
        values = Map.copyOf(values);
    }

    static EnrolmentForm parse(String text) throws EnrolmentException {
        Map<String, String> values = new HashMap<>();
        for (String pair : text.strip().split("&", MOST + 1)) {
            int equals = pair.indexOf('=');
            if (equals > 0 && values.size() < MOST) {
                values.putIfAbsent(pair.substring(0, equals), decoded(pair.substring(equals + 1)));
            }
        }
        return new EnrolmentForm(values);
    }

    String value(String name) throws EnrolmentException {
        String value = values.get(name);
        if (value == null || value.isEmpty()) {
            throw new EnrolmentException(name + " is missing");
        }
        return value;
    }

    /** A plus sign stays: the common client sends base64 as it is. */
    private static String decoded(String value) throws EnrolmentException {
        try {
            return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.ISO_8859_1);
        } catch (IllegalArgumentException broken) {
            throw new EnrolmentException("a value is not written as in a query");
        }
    }
}
