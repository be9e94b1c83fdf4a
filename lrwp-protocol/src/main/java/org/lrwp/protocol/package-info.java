/**
 * The LRWP wire: handshake, request and response frames, and the CGI text they carry.
 *
 * <p>Everything here is incremental over {@link java.nio.ByteBuffer}: a parser takes what has
 * arrived and says whether it wants more. Nothing does I/O, starts a thread or reads a clock, and
 * nothing allocates by a length that has not been checked. Text is bytes: every {@code String} of
 * this package holds one byte per character (ISO-8859-1).
 *
 * <p>Entry types: {@link org.lrwp.protocol.HelloParser} and {@link
 * org.lrwp.protocol.ResponseFrameParser} for a proxy, {@link
 * org.lrwp.protocol.HandshakeReplyParser} and {@link org.lrwp.protocol.RequestFrameParser} for a
 * peer. The frames of LRWP 3, after its handshake, are in {@link org.lrwp.protocol.frame}. This
 * package knows neither HTTP servers nor sockets.
 */
@NullMarked
package org.lrwp.protocol;

import org.jspecify.annotations.NullMarked;
