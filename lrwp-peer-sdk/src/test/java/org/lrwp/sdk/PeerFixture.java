package org.lrwp.sdk;

import org.lrwp.protocol.ProtocolVersion;

import java.time.Duration;

/** Peers as tests want them: quick to come back. */
final class PeerFixture {
    static final PeerTimes QUICK =
            PeerTimes.defaults().withRetry(Duration.ofMillis(1), Duration.ofMillis(5));

    private PeerFixture() {}

    static PeerBuilder aPeer(ScriptedProxy proxy, PeerListener listener) {
        return LrwpPeer.builder()
                .proxy(proxy.address())
                .context("/osp")
                .handler(PeerFixture::echo)
                .listener(listener)
                .times(QUICK);
    }

    /** A peer that speaks nothing newer than LRWP 2 with a secret, else LRWP 1. */
    static PeerBuilder aSerialPeer(ScriptedProxy proxy, PeerListener listener) {
        return aPeer(proxy, listener).versions(ProtocolVersion.LRWP_1, ProtocolVersion.LRWP_1);
    }

    static PeerResponse echo(PeerRequest request) throws Exception {
        return PeerResponse.of("text/plain", request.body().readAllBytes());
    }
}
