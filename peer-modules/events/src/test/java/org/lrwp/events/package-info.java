/** Tests. */
@NullMarked
package org.lrwp.events;

import org.jspecify.annotations.NullMarked;
