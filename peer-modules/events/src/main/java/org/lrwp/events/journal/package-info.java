/**
 * Events in a file that outlives the module: only ever appended to, and read once, at the start.
 *
 * <p>Entry type: {@link org.lrwp.events.journal.EventFile}. This package knows neither clients nor
 * requests.
 */
@NullMarked
package org.lrwp.events.journal;

import org.jspecify.annotations.NullMarked;
