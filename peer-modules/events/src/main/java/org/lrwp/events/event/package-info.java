/**
 * What an event is and how it is written: identifiers, data, and the bytes of each form, made once
 * for everybody.
 *
 * <p>Entry type: {@link org.lrwp.events.event.Event}. This package knows neither channels nor
 * clients.
 */
@NullMarked
package org.lrwp.events.event;

import org.jspecify.annotations.NullMarked;
