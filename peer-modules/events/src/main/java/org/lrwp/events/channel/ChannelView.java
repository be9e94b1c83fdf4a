package org.lrwp.events.channel;

/**
 * A channel at this moment, for people.
 *
 * @param name its name
 * @param waiters clients that wait in it
 * @param events events that it keeps
 */
public record ChannelView(String name, int waiters, int events) {}
