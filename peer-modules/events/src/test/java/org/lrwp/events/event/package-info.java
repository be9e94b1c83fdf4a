/** Tests. */
@NullMarked
package org.lrwp.events.event;

import org.jspecify.annotations.NullMarked;
