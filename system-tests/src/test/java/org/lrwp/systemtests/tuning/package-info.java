/**
 * The scripts of {@code solaris-tuning/}: over recorded fakes of Solaris' commands, over a folder
 * that stands for Linux, and for real in a network namespace. Knows nothing of proxy or peers.
 */
@NullMarked
package org.lrwp.systemtests.tuning;

import org.jspecify.annotations.NullMarked;
