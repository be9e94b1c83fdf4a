package org.lrwp.http1;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;

/** The methods of RFC 9110 section 9.3 and RFC 5789, so that no text is made of them. */
public enum KnownMethod {
    /** Transfers a representation. */
    GET,
    /** As GET, without the body of the answer. */
    HEAD,
    /** Has the resource process the body. */
    POST,
    /** Replaces the resource. */
    PUT,
    /** Removes the resource. */
    DELETE,
    /** Asks for a tunnel. */
    CONNECT,
    /** Asks for the ways to communicate. */
    OPTIONS,
    /** Asks for the request itself. */
    TRACE,
    /** Changes a part of the resource. */
    PATCH;

    private static final KnownMethod[] ALL = values();

    @SuppressWarnings("ImmutableEnumChecker") // Nobody changes it.
    private final byte[] bytes = name().getBytes(StandardCharsets.US_ASCII);

    /** The method of these bytes; null for any other. Methods have case. */
    static @Nullable KnownMethod of(byte[] source, int from, int to) {
        for (KnownMethod one : ALL) {
            if (one.bytes.length == to - from && one.isAt(source, from)) {
                return one;
            }
        }
        return null;
    }

    private boolean isAt(byte[] source, int from) {
        for (int i = 0; i < bytes.length; i++) {
            if (source[from + i] != bytes[i]) {
                return false;
            }
        }
        return true;
    }
}
