package org.lrwp.http1;

import java.util.List;

/**
 * A request as some reader has read it, for comparing.
 *
 * @param method as it was sent
 * @param target as it was sent
 * @param minorVersion 0 or 1
 * @param fields each as {@code name: value}, the name in lower case, in the order they came
 * @param body without its framing
 */
record Message(String method, String target, int minorVersion, List<String> fields, String body) {
    Message {
        fields = List.copyOf(fields);
    }

    Message withBody(String other) {
        return new Message(method, target, minorVersion, fields, other);
    }
}
