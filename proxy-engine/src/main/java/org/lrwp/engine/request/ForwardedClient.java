package org.lrwp.engine.request;

import org.lrwp.protocol.network.Network;

import java.net.InetAddress;
import java.util.List;

/**
 * Finds the client behind proxies that are trusted: the last hop that is none of them. It goes from
 * hop to hop, from this proxy towards the client, and each is believed only what it says of the
 * next. What cannot be read ends the way, and the last address that is known counts.
 */
final class ForwardedClient {
    private ForwardedClient() {}

    /**
     * Finds the client of a request.
     *
     * @param head the request, from a trusted proxy
     * @param trusted all that are trusted
     * @return the client's connection; that of the head when nothing more is known
     */
    static ClientConnection of(RequestHead head, List<Network> trusted) {
        ClientConnection ends = head.connection();
        ForwardedHop.Chain chain = chain(head);
        InetAddress address = ends.remoteAddress();
        int port = ends.remotePort();
        Boolean secure = null;
        while (Network.anyContains(trusted, address)) {
            ForwardedHop hop = chain.next();
            if (hop == null) {
                break;
            }
            secure = hop.secure();
            InetAddress next = hop.address();
            if (next == null) {
                break;
            }
            address = next;
            port = hop.port();
        }
        boolean same = secure == null && address.equals(ends.remoteAddress());
        return same && port == ends.remotePort() ? ends : ends.sentFor(address, port, secure);
    }

    /** The standard's field says all there is, where it is there. */
    private static ForwardedHop.Chain chain(RequestHead head) {
        List<String> standard = head.values("Forwarded");
        return standard.isEmpty()
                ? new XForwardedHops(
                        head.values("X-Forwarded-For"), head.values("X-Forwarded-Proto"))
                : new ForwardedElements(standard);
    }
}
