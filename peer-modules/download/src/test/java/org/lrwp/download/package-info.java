/** Tests. */
@NullMarked
package org.lrwp.download;

import org.jspecify.annotations.NullMarked;
