package org.lrwp.webapp.container;

/** Why a connection of HTTP/2 is ended. */
enum Http2Fault {
    FRAME_TOO_LONG(6, "a frame of more than 16384 bytes"),
    HEAD_TOO_LONG(11, "a head of more bytes than request.head"),
    HEAD_IN_TOO_MANY_FRAMES(11, "a head in more than 64 frames"),
    HEAD_TOO_SLOW(11, "a head or a preface that took longer than client.head-timeout"),
    ANSWERS_UNREAD(11, "1000 frames of answers that the client does not read");

    private final int code;
    private final String reason;

    Http2Fault(int code, String reason) {
        this.code = code;
        this.reason = reason;
    }

    /** The error code of GOAWAY: RFC 9113 section 7. */
    int code() {
        return code;
    }

    /** For the log. */
    String reason() {
        return reason;
    }
}
