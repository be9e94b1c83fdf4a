/** Tests of reading and writing messages. */
@NullMarked
package org.lrwp.osp.message;

import org.jspecify.annotations.NullMarked;
