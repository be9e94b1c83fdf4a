package org.lrwp.cache;

import org.lrwp.protocol.network.Network;
import org.lrwp.runtime.caller.Caller;
import org.lrwp.runtime.caller.HostNames;
import org.lrwp.sdk.RequestHead;

import java.net.InetAddress;
import java.util.List;

/** Says who may write. Any thread. */
final class WriteRules {
    private final byte[] token;

    /** A token without bytes is one that nobody can show. */
    WriteRules(byte[] token) {
        this.token = token.clone();
    }

    /** What is answered to somebody who asks to write. */
    enum Verdict {
        ALLOWED,
        UNKNOWN,
        FORBIDDEN
    }

    Verdict judge(RequestHead request, List<Network> networks, HostNames hosts) {
        if (token.length > 0 && request.header("Authorization") != null) {
            return Caller.shows(request, token) ? Verdict.ALLOWED : Verdict.UNKNOWN;
        }
        InetAddress address = Caller.address(request);
        if (address != null
                && Network.anyContains(networks, address)
                && hosts.include(request.header("Host"))
                && !Caller.isForeignPage(request)) {
            return Verdict.ALLOWED;
        }
        return token.length > 0 ? Verdict.UNKNOWN : Verdict.FORBIDDEN;
    }
}
