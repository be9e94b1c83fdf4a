/** Tests of counting and reporting calls. */
@NullMarked
package org.lrwp.osp.statistics;

import org.jspecify.annotations.NullMarked;
