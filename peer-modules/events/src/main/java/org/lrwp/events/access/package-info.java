/**
 * Who may publish and who may subscribe: by address, shared secret, signed URL, or the word of
 * another server.
 *
 * <p>Entry type: {@link org.lrwp.events.access.Access}. This package knows neither channels nor how
 * events are sent.
 */
@NullMarked
package org.lrwp.events.access;

import org.jspecify.annotations.NullMarked;
