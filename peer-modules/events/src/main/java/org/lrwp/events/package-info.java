/**
 * The event module: channels over HTTP for thousands of waiting clients, a peer, in the proxy or as
 * a program.
 *
 * <p>Entry types: {@code EventsProvider}, the module, and {@code EventsPeer}, the program.
 */
@NullMarked
package org.lrwp.events;

import org.jspecify.annotations.NullMarked;
