/** Tests. */
@NullMarked
package org.lrwp.events.policy;

import org.jspecify.annotations.NullMarked;
