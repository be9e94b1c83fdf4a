package org.lrwp.events.channel;

/**
 * How much there is of channels.
 *
 * @param channels channels
 * @param bytes memory of their events, about
 */
public record ChannelsAmount(int channels, long bytes) {}
