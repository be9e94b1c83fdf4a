/**
 * Peers that a test plays, over raw sockets: {@link org.lrwp.testkit.wire.ScriptedPeer} of LRWP 1
 * and {@link org.lrwp.testkit.wire.FramePeer} of LRWP 3. Knows nothing of the code under test but
 * its wire, and nothing but tests may know it. {@link org.lrwp.testkit.wire.LogLines} has what a
 * class tells the log.
 */
@NullMarked
package org.lrwp.testkit.wire;

import org.jspecify.annotations.NullMarked;
