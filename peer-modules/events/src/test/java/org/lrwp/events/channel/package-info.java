/** Tests. */
@NullMarked
package org.lrwp.events.channel;

import org.jspecify.annotations.NullMarked;
