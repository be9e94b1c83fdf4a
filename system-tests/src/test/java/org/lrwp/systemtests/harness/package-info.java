/**
 * What system tests are written with: the real server as a process, clients over raw sockets, peers
 * as processes. Knows nothing of the code under test but its wire and its files.
 */
@NullMarked
package org.lrwp.systemtests.harness;

import org.jspecify.annotations.NullMarked;
