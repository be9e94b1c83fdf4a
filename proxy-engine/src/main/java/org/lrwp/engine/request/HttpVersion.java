package org.lrwp.engine.request;

/** The versions of HTTP that a front may bring, and where their rules differ. */
enum HttpVersion {
    /** HTTP/1.0. */
    ONE_ZERO,
    /** HTTP/1.1. */
    ONE_ONE,
    /** HTTP/2, which frames bodies itself. */
    TWO;

    static HttpVersion parse(String protocol) throws BadRequestException {
        return switch (protocol) {
            case "HTTP/1.0" -> ONE_ZERO;
            case "HTTP/1.1" -> ONE_ONE;
            case "HTTP/2.0", "HTTP/2" -> TWO;
            default -> throw new BadRequestException("unknown version of HTTP");
        };
    }

    boolean needsHost() {
        return this == ONE_ONE;
    }

    boolean hasTransferEncoding() {
        return this == ONE_ONE;
    }

    /** Says how long the body is: octets, or -1 when its end alone will tell. */
    long bodyLength(BodyFraming framing) {
        return switch (framing.kind()) {
            case LENGTH -> framing.length();
            case CHUNKED -> -1;
            case NONE -> this == TWO ? -1 : 0;
        };
    }
}
