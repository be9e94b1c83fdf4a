package org.lrwp.webapp.servlet;

import org.lrwp.engine.request.RequestHead;
import org.lrwp.http1.KnownField;

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

    /**
     * Whether the connection ends with the answer: because the client asked for it, or because the
     * container ends it after an Upgrade that was not followed.
     */
    static boolean isEnding(RequestHead head, ClientLink link) {
        return !head.isLasting()
                || (!link.upgrades() && head.bytes().find(KnownField.UPGRADE) >= 0);
    }
}
