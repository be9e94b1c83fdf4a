package org.lrwp.download.policy;

/**
 * Where a download belongs.
 *
 * @param trafficClass its class
 * @param client the name of its client
 * @param limited whether any bucket on its way has a limit
 */
public record Placement(TrafficClass trafficClass, String client, boolean limited) {}
