/** Tests. */
@NullMarked
package org.lrwp.events.access;

import org.jspecify.annotations.NullMarked;
