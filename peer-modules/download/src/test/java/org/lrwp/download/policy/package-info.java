/** Tests. */
@NullMarked
package org.lrwp.download.policy;

import org.jspecify.annotations.NullMarked;
