/**
 * Channels and what is in them: events in their order, for as long as they are kept, and what a
 * client at some position has yet to get.
 *
 * <p>Entry type: {@link org.lrwp.events.channel.Channels}. This package knows no clients.
 */
@NullMarked
package org.lrwp.events.channel;

import org.jspecify.annotations.NullMarked;
