/**
 * What a peer program needs beside the SDK: its command line, its log lines and its orderly end.
 *
 * <p>Entry types: {@code PeerOptions}, a picocli mixin, and {@code PeerProgram}. This package knows
 * nothing of what a peer answers.
 */
@NullMarked
package org.lrwp.runtime;

import org.jspecify.annotations.NullMarked;
