/** Tests of routing. */
@NullMarked
package org.lrwp.osp.routing;

import org.jspecify.annotations.NullMarked;
