/** Tests. */
@NullMarked
package org.lrwp.events.journal;

import org.jspecify.annotations.NullMarked;
