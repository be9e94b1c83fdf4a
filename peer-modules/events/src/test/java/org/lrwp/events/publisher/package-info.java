/** Tests. */
@NullMarked
package org.lrwp.events.publisher;

import org.jspecify.annotations.NullMarked;
