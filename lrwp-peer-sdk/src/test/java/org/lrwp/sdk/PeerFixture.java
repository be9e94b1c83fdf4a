package org.lrwp.sdk;

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

    static PeerResponse echo(PeerRequest request) throws Exception {
        return PeerResponse.of("text/plain", request.body().readAllBytes());
    }
}
