/** Tests. */
@NullMarked
package org.lrwp.download.file;

import org.jspecify.annotations.NullMarked;
