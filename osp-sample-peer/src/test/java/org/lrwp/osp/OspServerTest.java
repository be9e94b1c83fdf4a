package org.lrwp.osp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.lrwp.osp.configuration.OspConfiguration;
import org.lrwp.osp.configuration.OspKeys;
import org.lrwp.osp.statistics.CallCounters;
import org.lrwp.osp.testkit.PostedMessage;
import org.lrwp.osp.testkit.Tokens;
import org.lrwp.osp.testkit.Vectors;
import org.lrwp.osp.token.KeyRing;
import org.lrwp.osp.token.Keys;
import org.lrwp.testkit.Configurations;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

final class OspServerTest {
    private final OspServer server =
            new OspServer(
                    new OspServer.Ground(
                            OspConfiguration.usual(),
                            OspServerFixture.trust(
                                    new Keys(KeyRing.of(Tokens.identity(), List.of()))),
                            OspServerFixture.demo(),
                            CallListener.NONE,
                            usage -> () -> {},
                            Tokens.CLOCK,
                            new Random(4711)),
                    new CallCounters());
    private int asked;

    @Test
    void valuesThatChangeCountForTheNextMessage() throws Exception {
        assertEquals(200, status());

        server.answerBy(
                OspConfiguration.of(Configurations.of(OspKeys.all(), "messages.signed=require")));
        assertEquals(401, status());

        server.answerBy(
                OspConfiguration.of(Configurations.of(OspKeys.all(), "messages.max-elements=16")));
        assertEquals(400, status());
        server.close();
    }

    private int status() throws Exception {
        String message =
                Vectors.body("deb413-call/001-AuthorizationRequest")
                        .replaceFirst("random=\"", "random=\"" + ++asked);
        return server.handler()
                .handle(PostedMessage.of("POST", message.getBytes(StandardCharsets.UTF_8)))
                .status();
    }
}
