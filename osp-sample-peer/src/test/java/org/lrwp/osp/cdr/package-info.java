/** Tests of the records. */
@NullMarked
package org.lrwp.osp.cdr;

import org.jspecify.annotations.NullMarked;
