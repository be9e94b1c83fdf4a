/** Tests of the server as a whole. */
@NullMarked
package org.lrwp.osp;

import org.jspecify.annotations.NullMarked;
