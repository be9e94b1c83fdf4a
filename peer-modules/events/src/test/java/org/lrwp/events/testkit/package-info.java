/** Tests. */
@NullMarked
package org.lrwp.events.testkit;

import org.jspecify.annotations.NullMarked;
