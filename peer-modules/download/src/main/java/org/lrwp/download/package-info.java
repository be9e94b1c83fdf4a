/**
 * The download module: a rate-limited file server that is a peer, in the proxy or as a program.
 *
 * <p>Entry types: {@code DownloadProvider}, the module, and {@code DownloadPeer}, the program.
 */
@NullMarked
package org.lrwp.download;

import org.jspecify.annotations.NullMarked;
