package org.lrwp.events.fanout;

import java.nio.ByteBuffer;

/**
 * What goes to every client that is at the same position and reads the same form.
 *
 * @param bytes shared: whoever writes them takes a duplicate
 * @param position where a client is that has them
 * @param events how many events
 * @param gap whether it says that events are missing
 */
record Batch(ByteBuffer bytes, long position, int events, boolean gap) {}
