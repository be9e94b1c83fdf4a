package org.lrwp.engine.request;

import java.util.List;

/**
 * How the end of a request's body is found: RFC 9112 section 6.3, without the leniency that lets
 * one request hide in another.
 *
 * @param kind by what
 * @param length octets for {@link Kind#LENGTH}, else 0
 */
record BodyFraming(Kind kind, long length) {
    /** By what the end of a body is found. */
    enum Kind {
        /** No field says anything. */
        NONE,
        /** Content-Length. */
        LENGTH,
        /** Transfer-Encoding. */
        CHUNKED
    }

    private static final int MOST_DIGITS = 18;

    static BodyFraming of(List<String> codings, List<String> lengths, boolean codingsAllowed)
            throws BadRequestException {
        if (!codings.isEmpty()) {
            if (!codingsAllowed) {
                throw new BadRequestException("Transfer-Encoding in this version of HTTP");
            }
            if (codings.size() > 1 || !codings.getFirst().strip().equalsIgnoreCase("chunked")) {
                throw new BadRequestException("Transfer-Encoding other than chunked");
            }
            if (!lengths.isEmpty()) {
                throw new BadRequestException("Content-Length with Transfer-Encoding");
            }
            return new BodyFraming(Kind.CHUNKED, 0);
        }
        if (lengths.isEmpty()) {
            return new BodyFraming(Kind.NONE, 0);
        }
        if (lengths.size() > 1) {
            throw new BadRequestException("more than one Content-Length");
        }
        return new BodyFraming(Kind.LENGTH, digits(lengths.getFirst()));
    }

    private static long digits(String text) throws BadRequestException {
        boolean digitsOnly = true;
        for (int i = 0; i < text.length(); i++) {
            digitsOnly &= text.charAt(i) >= '0' && text.charAt(i) <= '9';
        }
        if (text.isEmpty() || text.length() > MOST_DIGITS || !digitsOnly) {
            throw new BadRequestException("Content-Length is not a number");
        }
        return Long.parseLong(text);
    }
}
