package org.lrwp.webapp.servlet;

import org.lrwp.engine.request.RequestHead;

/** What the proxy itself answers under {@code /-/}. Thread-safe; must not block. */
@FunctionalInterface
public interface OwnPages {
    /**
     * Answers a request.
     *
     * @param head the request
     * @param path its path below the context root
     * @return the answer; an error without a body gets the usual one
     */
    Answer answer(RequestHead head, String path);

    /**
     * An answer.
     *
     * @param status HTTP status
     * @param contentType type of the body
     * @param body its bytes, not copied
     */
    @SuppressWarnings("ArrayRecordComponent") // Made once, written once.
    record Answer(int status, String contentType, byte[] body) {
        /**
         * An error with the usual body.
         *
         * @param status 400 to 599
         * @return the answer
         */
        public static Answer error(int status) {
            return new Answer(status, "text/plain", new byte[0]);
        }
    }
}
