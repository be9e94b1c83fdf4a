package org.lrwp.webapp.traffic;

import org.lrwp.engine.request.RequestHead;
import org.lrwp.protocol.network.Network;
import org.lrwp.webapp.config.ClientName;

/** Finds out which client a request is of. */
final class ClientKey {
    /** A longer name would let a client fill the memory: it counts for its address. */
    private static final int LONGEST = 256;

    private ClientKey() {}

    /** Equal for all requests of one client; names of different kinds are never equal. */
    static String of(RequestHead head, ClientName name) {
        String value =
                switch (name.kind()) {
                    case ADDRESS -> null;
                    case FIELD -> head.first(name.field());
                    case COOKIE -> Cookies.find(head, name.field(), any -> true);
                };
        if (value == null || value.isEmpty() || value.length() > LONGEST) {
            return "a " + Network.sourceOf(head.connection().remoteAddress()).getHostAddress();
        }
        return "n " + value;
    }
}
