/** Tests. */
@NullMarked
package org.lrwp.download.http;

import org.jspecify.annotations.NullMarked;
