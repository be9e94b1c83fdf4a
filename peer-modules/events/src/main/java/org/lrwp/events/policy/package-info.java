/**
 * What can be set of the module, and what is set.
 *
 * <p>Entry types: {@link org.lrwp.events.policy.EventsKeys} and {@link
 * org.lrwp.events.policy.EventsPolicy}.
 */
@NullMarked
package org.lrwp.events.policy;

import org.jspecify.annotations.NullMarked;
