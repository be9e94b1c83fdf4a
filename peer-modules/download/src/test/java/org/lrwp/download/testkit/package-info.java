/** Tests. */
@NullMarked
package org.lrwp.download.testkit;

import org.jspecify.annotations.NullMarked;
