/**
 * Brings events to those that wait for them, without a thread that waits for any of them.
 *
 * <p>Entry type: {@link org.lrwp.events.fanout.FanOut}. This package knows channels and exchanges,
 * but neither paths nor who may do what.
 */
@NullMarked
package org.lrwp.events.fanout;

import org.jspecify.annotations.NullMarked;
