package org.lrwp.osp.message;

/** The status codes of OSP that this server gives. */
public enum Status {
    /** Done. */
    SUCCESS(200, "Success"),
    /** A component lacks something or has a value that cannot be used. */
    BAD_REQUEST(400, "Bad request"),
    /** The called number may not be called. */
    ROUTE_BLOCKED(403, "Route blocked"),
    /** Nobody serves the called number. */
    ROUTE_NOT_FOUND(404, "Route not found"),
    /** There is an element that this server does not know and may not pass over. */
    UNKNOWN_CRITICAL_ELEMENT(412, "Unsupported critical element"),
    /** The server failed. */
    INTERNAL_ERROR(500, "Internal error"),
    /** This server does not offer what the component asks for. */
    NOT_IMPLEMENTED(501, "Not implemented");

    private final int code;
    private final String description;

    Status(int code, String description) {
        this.code = code;
        this.description = description;
    }

    /**
     * Returns the number on the wire.
     *
     * @return 200 to 999; up to 299 is success
     */
    public int code() {
        return code;
    }

    /**
     * Returns the text on the wire.
     *
     * @return a few words
     */
    public String description() {
        return description;
    }
}
