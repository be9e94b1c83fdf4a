/** Tests of the keys. */
@NullMarked
package org.lrwp.osp.configuration;

import org.jspecify.annotations.NullMarked;
