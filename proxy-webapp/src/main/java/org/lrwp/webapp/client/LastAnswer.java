package org.lrwp.webapp.client;

import org.lrwp.engine.request.RequestHead;
import org.lrwp.http1.KnownField;

/** Knows which answers are the last ones of their connection. */
public final class LastAnswer {
    private LastAnswer() {}

    /**
     * Says whether GlassFish closes the connection after a status.
     *
     * @param status HTTP status
     * @return whether it does
     */
    public static boolean isClosing(int status) {
        return switch (status) {
            case 400, 408, 411, 413, 414, 417, 500, 501, 503, 505 -> true;
            default -> false;
        };
    }

    /**
     * Says whether the client wants no other answer behind this one, or the connection ends because
     * of an Upgrade that cannot be followed.
     *
     * @param head of the request
     * @param upgrades whether the connection can go over to another protocol
     * @return whether the answer is the last one
     */
    public static boolean isEnding(RequestHead head, boolean upgrades) {
        return !head.isLasting() || (!upgrades && head.bytes().find(KnownField.UPGRADE) >= 0);
    }
}
