/**
 * An OSP server (ETSI TS 101 321) that dials in to the proxy: the sample of a whole peer.
 *
 * <p>Entry types: {@code OspPeer}, the program, and {@link org.lrwp.osp.OspHandler}, which answers
 * one HTTP request. The parts of OSP stand in packages of their own.
 */
@NullMarked
package org.lrwp.osp;

import org.jspecify.annotations.NullMarked;
