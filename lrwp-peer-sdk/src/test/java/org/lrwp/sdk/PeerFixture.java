package org.lrwp.sdk;

import org.lrwp.protocol.ProtocolVersion;

import java.time.Duration;

/** Peers as tests want them: quick to come back. */
final class PeerFixture {
    static final PeerTimes QUICK =
            PeerTimes.defaults().withRetry(Duration.ofMillis(1), Duration.ofMillis(5));

    private PeerFixture() {}

    static PeerBuilder aPeer(ScriptedProxy proxy, PeerListener listener) {
        return aPeer(proxy.address(), listener);
    }

    private static PeerBuilder aPeer(String proxy, PeerListener listener) {
        return LrwpPeer.builder()
                .proxy(proxy)
                .context("/osp")
                .handler(PeerFixture::echo)
                .listener(listener)
                .times(QUICK);
    }

    /** A peer that speaks nothing newer than LRWP 2 with a secret, else LRWP 1. */
    static PeerBuilder aSerialPeer(ScriptedProxy proxy, PeerListener listener) {
        return aSerialPeer(proxy.port(), listener);
    }

    /** The same, of a proxy that need not be there. */
    static PeerBuilder aSerialPeer(int port, PeerListener listener) {
        return aPeer("127.0.0.1:" + port, listener)
                .versions(ProtocolVersion.LRWP_1, ProtocolVersion.LRWP_1);
    }

    static PeerResponse echo(PeerRequest request) throws Exception {
        return PeerResponse.of("text/plain", request.body().readAllBytes());
    }
}
