package org.lrwp.osp.routing;

import org.lrwp.osp.token.TokenClass;

/**
 * A device that may ask for calls: a row of the table devices.
 *
 * @param name its name here
 * @param addresses where it asks from
 * @param network the network it says it is in; empty: any
 * @param customer its customer id; empty: any
 * @param device its device id; empty: any
 * @param techPrefix what its called numbers begin with; taken off before anything else
 * @param enrolled whether it may originate calls
 * @param suspended whether it is shut out for now
 * @param tokens which tokens it takes
 * @param price what it pays for its calls; empty: nothing is compared with the cost
 * @param limits how much it may do
 */
record Device(
        String name,
        AddressRange addresses,
        String network,
        String customer,
        String device,
        String techPrefix,
        boolean enrolled,
        boolean suspended,
        TokenClass tokens,
        Price price,
        Limits limits) {
    /**
     * What calls are sold for.
     *
     * @param tariff the name of a tariff; empty for none
     * @param margin the least that must be left of the price, in millionths
     */
    record Price(String tariff, long margin) {}

    /**
     * How much a device may do.
     *
     * @param callsASecond authorisations in a second; 0: any
     * @param calls calls at once; 0: any
     */
    record Limits(int callsASecond, int calls) {}

    boolean matches(Origin origin, String called) {
        return isFor(origin)
                && matchesAddress(origin)
                && (network.isEmpty() || origin.networks().contains(network))
                && (customer.isEmpty() || customer.equals(origin.customer().orElse("")))
                && (device.isEmpty() || device.equals(origin.device().orElse("")))
                && called.startsWith(techPrefix);
    }

    /**
     * A device that proves who it is acts as nobody else: its row names it. A row that says nothing
     * of who asks, like that of the demo, is for trying things out on this machine.
     */
    private boolean isFor(Origin origin) {
        if (origin.proven()) {
            return !device.isEmpty();
        }
        boolean isForAll =
                addresses.isAll() && network.isEmpty() && customer.isEmpty() && device.isEmpty();
        return !isForAll || origin.local();
    }

    private boolean matchesAddress(Origin origin) {
        return addresses.isAll()
                || origin.addresses().stream()
                        .map(AddressRange::host)
                        .anyMatch(addresses::contains);
    }

    /** How much the row says; of several that match, the one that says most counts. */
    int weight() {
        return addresses.weight() * 1_000
                + techPrefix.length() * 10
                + (network.isEmpty() ? 0 : 1)
                + (customer.isEmpty() ? 0 : 1)
                + (device.isEmpty() ? 0 : 1);
    }
}
