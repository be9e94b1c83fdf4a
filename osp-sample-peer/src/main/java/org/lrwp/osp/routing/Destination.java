package org.lrwp.osp.routing;

/**
 * Where calls can be sent: a row of the table destinations.
 *
 * @param name its name here
 * @param carrier the carrier it belongs to
 * @param cic identification code of that carrier; empty for none
 * @param address its signalling address
 * @param network the id of its network; empty for none
 * @param protocol its signalling protocol; empty when nothing is said
 * @param ospEnabled whether it knows OSP
 * @param outPrefix put before the called number
 * @param suspended whether it, or its carrier, is shut out for now
 * @param capacity calls at once; 0: any
 * @param quality what is expected of it
 */
record Destination(
        String name,
        String carrier,
        String cic,
        String address,
        String network,
        String protocol,
        boolean ospEnabled,
        String outPrefix,
        boolean suspended,
        int capacity,
        Expectation quality) {
    /**
     * What is expected of a destination's calls; one that falls short is suspended for a time.
     *
     * @param answered the least share of attempts that are answered, in percent; 0: any
     * @param seconds the least mean length of answered calls; 0: any
     * @param delay the longest mean post dial delay, in milliseconds; 0: any
     */
    record Expectation(int answered, int seconds, int delay) {}
}
