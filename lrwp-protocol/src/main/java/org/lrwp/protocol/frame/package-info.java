/**
 * The frames of LRWP 3: a head of twelve bytes and a payload, many streams on one connection:
 * docs/protocol.md section 13.
 *
 * <p>Nothing here does I/O, starts a thread or reads a clock, and nothing allocates by a length
 * that has not been checked. Bad bytes end in {@link org.lrwp.protocol.MalformedFrameException},
 * whose message names the rule: it is the text of the ERROR frame that answers them. Text is bytes:
 * every {@code String} holds one byte per character (ISO-8859-1).
 *
 * <p>Entry types: {@link org.lrwp.protocol.frame.FrameParser} reads frames, {@link
 * org.lrwp.protocol.frame.FrameHead} and {@link org.lrwp.protocol.frame.Frames} write them. This
 * package knows neither streams and their states nor sockets: what may follow what is for its users
 * to judge.
 */
@NullMarked
package org.lrwp.protocol.frame;

import org.jspecify.annotations.NullMarked;
