/** Tests of what may happen once only. */
@NullMarked
package org.lrwp.osp.replay;

import org.jspecify.annotations.NullMarked;
