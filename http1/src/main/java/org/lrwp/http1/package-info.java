/**
 * A strict, incremental reader of HTTP/1.1 and HTTP/1.0 requests: request line, fields, framing.
 * Beside it the dates of RFC 9110 section 5.6.7. Nothing else: no I/O, no clock, no threads, no
 * decoding of targets or values. It depends on nothing, so that it can be lifted out.
 *
 * <p>Source: RFC 9112, RFC 9110. Where they leave a choice the stricter one is taken:
 * docs/http1.md.
 */
@NullMarked
package org.lrwp.http1;

import org.jspecify.annotations.NullMarked;
