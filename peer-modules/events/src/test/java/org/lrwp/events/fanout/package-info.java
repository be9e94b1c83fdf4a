/** Tests. */
@NullMarked
package org.lrwp.events.fanout;

import org.jspecify.annotations.NullMarked;
