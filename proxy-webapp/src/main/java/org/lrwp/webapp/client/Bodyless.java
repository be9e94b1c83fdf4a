package org.lrwp.webapp.client;

/** Knows the statuses whose answers have no body, whatever their heads say: RFC 9110. */
public final class Bodyless {
    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;

    private Bodyless() {}

    /**
     * Says whether an answer has no body because of its status.
     *
     * @param status HTTP status of a last answer
     * @return true with 204 and 304
     */
    public static boolean is(int status) {
        return status == NO_CONTENT || status == NOT_MODIFIED;
    }
}
