package org.lrwp.osp.routing;

import org.lrwp.osp.message.Party;

import java.util.Optional;

/**
 * One way for a call.
 *
 * @param destination the destination's name in the routing tables
 * @param address its signalling address, like {@code [192.0.2.1]:5060}
 * @param caller the calling number to be shown there
 * @param called the number to be called there
 * @param network the id of the network the destination is in; usually empty
 * @param protocol the signalling protocol, like {@code sip}; usually empty
 * @param ospEnabled whether the destination knows OSP
 */
public record Route(
        String destination,
        String address,
        Optional<Party> caller,
        Party called,
        String network,
        String protocol,
        boolean ospEnabled) {}
