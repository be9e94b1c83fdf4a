package org.lrwp.webapp.servlet;

import org.lrwp.engine.request.RequestHead;

import java.util.Locale;

/** Knows which answers are the last ones of their connection. */
final class LastAnswer {
    private LastAnswer() {}

    /** Whether the container closes the connection after a status: GlassFish does after these. */
    static boolean isClosing(int status) {
        return switch (status) {
            case 400, 408, 411, 413, 414, 417, 500, 501, 503, 505 -> true;
            default -> false;
        };
    }

    /** Whether the connection ends with a status, whatever its link can do. */
    static boolean isClosing(int status, ClientLink link) {
        return isClosing(status) && !link.keepsOpen();
    }

    /** Whether the client asked for the connection to end with the answer. */
    static boolean isAskedFor(RequestHead head) {
        boolean close = head.protocol().equals("HTTP/1.0");
        for (String value : head.values("Connection")) {
            for (String option : value.split(",", -1)) {
                String word = option.strip().toLowerCase(Locale.ROOT);
                if (word.equals("close")) {
                    return true;
                }
                close &= !word.equals("keep-alive");
            }
        }
        return close || head.first("Upgrade") != null;
    }
}
