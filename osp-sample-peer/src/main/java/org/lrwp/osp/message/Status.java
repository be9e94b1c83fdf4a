package org.lrwp.osp.message;

/** The status codes of OSP that this server gives. */
public enum Status {
    /** Done. */
    SUCCESS(200, "Success"),
    /** A component lacks something or has a value that cannot be used. */
    BAD_REQUEST(400, "Bad request"),
    /** The client is not known, or it shows something that is not its own. */
    UNAUTHORISED(401, "Unauthorized"),
    /** The called number may not be called. */
    ROUTE_BLOCKED(403, "Route blocked"),
    /** Nobody serves the called number. */
    ROUTE_NOT_FOUND(404, "Route not found"),
    /** The client is known, but may not originate calls. */
    MAY_NOT_ORIGINATE(405, "Not allowed to originate"),
    /** There is an element that this server does not know and may not pass over. */
    UNKNOWN_CRITICAL_ELEMENT(412, "Unsupported critical element"),
    /** A message comes a second time, and its answer is not known any more. */
    SECURITY_PROBLEM(420, "Security problem"),
    /** A token or a message is not signed by whom it should be, or was changed. */
    SIGNATURE_INVALID(421, "Signature invalid"),
    /** A certificate is of nobody this server trusts, or out of date. */
    CERTIFICATE_INVALID(423, "Certificate invalid"),
    /** A certificate was good once, and does not count any more. */
    CERTIFICATE_REVOKED(424, "Certificate revoked"),
    /** The client asks for more calls a second than it may. */
    CALL_RATE_EXCEEDED(441, "Call rate exceeded"),
    /** The server failed. */
    INTERNAL_ERROR(500, "Internal error"),
    /** This server does not offer what the component asks for. */
    NOT_IMPLEMENTED(501, "Not implemented"),
    /** The client, the destinations or the server have as many calls as they may. */
    SERVICE_UNAVAILABLE(503, "Service unavailable"),
    /** A token's time is over. */
    TIME_PROBLEM(530, "Time problem"),
    /** A token's time has not come. */
    TOO_SOON(531, "Valid time too soon");

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
