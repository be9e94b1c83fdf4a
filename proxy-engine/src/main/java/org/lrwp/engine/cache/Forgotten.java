package org.lrwp.engine.cache;

/**
 * What a cache has forgotten.
 *
 * @param url as the cache names it: {@code host:port/path}
 * @param prefix whether all URLs that begin so
 */
public record Forgotten(String url, boolean prefix) {}
