/**
 * Publishes events from Java programs, over HTTP.
 *
 * <p>Entry type: {@link org.lrwp.events.publisher.EventPublisher}. This package knows nothing of
 * the module itself.
 */
@NullMarked
package org.lrwp.events.publisher;

import org.jspecify.annotations.NullMarked;
