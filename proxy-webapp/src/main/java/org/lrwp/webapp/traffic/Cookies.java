package org.lrwp.webapp.traffic;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.request.RequestHead;

import java.util.function.Predicate;

/** Reads the cookies of a request: RFC 6265 section 4.2.1. */
final class Cookies {
    private Cookies() {}

    /**
     * Finds a cookie by its name. Those of longer paths come first.
     *
     * @param wanted says whether a value is the right one
     * @return the first value that is; null when there is none
     */
    static @Nullable String find(RequestHead head, String name, Predicate<String> wanted) {
        for (String field : head.values("Cookie")) {
            for (String pair : field.split(";", -1)) {
                String text = pair.strip();
                if (text.startsWith(name) && text.startsWith("=", name.length())) {
                    String value = text.substring(name.length() + 1);
                    if (wanted.test(value)) {
                        return value;
                    }
                }
            }
        }
        return null;
    }
}
