package org.lrwp.protocol;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The header fields that end at the next hop and are never passed on: RFC 9110 section 7.6.1 and
 * what older agents still send.
 */
public final class HopByHopFields {
    /** Names in lower case that are never passed on, whatever {@code Connection} lists. */
    public static final Set<String> ALWAYS =
            Set.of(
                    "connection",
                    "keep-alive",
                    "proxy-connection",
                    "proxy-authenticate",
                    "proxy-authorization",
                    "te",
                    "trailer",
                    "transfer-encoding",
                    "upgrade");

    private HopByHopFields() {}

    /**
     * Returns the names that must not be passed on.
     *
     * @param connection the values of all {@code Connection} fields of the message
     * @return names in lower case: the fixed ones and those that {@code Connection} lists
     */
    public static Set<String> names(List<String> connection) {
        if (connection.isEmpty()) {
            return ALWAYS;
        }
        Set<String> names = new HashSet<>(ALWAYS);
        for (String value : connection) {
            for (String option : value.split(",", -1)) {
                names.add(option.strip().toLowerCase(Locale.ROOT));
            }
        }
        return names;
    }
}
