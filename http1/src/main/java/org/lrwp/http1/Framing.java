package org.lrwp.http1;

/** How the end of a request's body is found: RFC 9112 section 6.3. */
public enum Framing {
    /** There is no body. */
    NONE,
    /** Content-Length tells. */
    LENGTH,
    /** The last chunk tells. */
    CHUNKED
}
