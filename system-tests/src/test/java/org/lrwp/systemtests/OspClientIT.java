package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.systemtests.harness.OspClient;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;

import java.nio.file.Path;
import java.util.Set;

/** Debian's OSP client makes calls through the proxy. */
@SystemTest
@ServerConfig
class OspClientIT {
    private static final String[] CALL = {"1", "23", "29", "27", "28", "31", "32", "24", "2"};
    private static final int EXPIRED = 11140;
    private static final int TOO_SOON = 11130;
    private static final int UNSIGNED = 11506;
    private static final int OTHER_CALL = 11270;

    @TempDir Path folder;

    @Test
    void realClientMakesFullCallsAndIsToldWhyItMayNot(Scene scene) throws Exception {
        OspClient client = OspClient.in(folder);
        client.startPeer(scene);

        requireFullCall(client.run(CALL));
        OspClient.Run many = client.with("CALLED", "8678").run(CALL);
        requireFullCall(many);
        OspClient.Run blocked = client.with("CALLED", "0678").run("1", "23", "29", "24", "2");
        OspClient.Run nowhere = client.with("CALLED", "9678").run("1", "23", "29", "24", "2");
        OspClient.Run failures =
                client.with("CALLED", "3678")
                        .run("1", "23", "29", "27", "36", "28", "31", "32", "24", "2");
        OspClient.Run suggested = client.run("1", "23", "30", "27", "32", "24", "2");

        OspClient.Run capabilities = client.run("1", "14", "23", "37", "24", "2");
        OspClient.Run scratch = client.run("1", "23", "43", "32", "24", "2");

        assertTrue(many.printed().contains("num dest = 8"), many::printed);
        assertFalse(Set.of(0).containsAll(blocked.codes()), blocked::printed);
        assertFalse(Set.of(0).containsAll(nowhere.codes()), nowhere::printed);
        requireFullCall(failures);
        assertEquals(Set.of(0), Set.copyOf(suggested.codes()), suggested::printed);
        assertEquals(Set.of(0), Set.copyOf(capabilities.codes()), capabilities::printed);
        assertEquals(Set.of(0), Set.copyOf(scratch.codes()), scratch::printed);
    }

    @Test
    void realClientRefusesATokenOfAnotherCall(Scene scene) throws Exception {
        OspClient client = OspClient.in(folder);
        client.startPeer(scene);

        // 54: from here on it shows an empty call id together with the token.
        OspClient.Run run = client.run("1", "23", "29", "27", "54", "31", "24", "2");

        assertTrue(run.codes().contains(OTHER_CALL), run::printed);
    }

    @Test
    void realClientRefusesATokenThatIsOver(Scene scene) throws Exception {
        OspClient client = OspClient.in(folder);
        client.startPeer(scene, "token.valid-before=PT10M", "token.valid-for=-PT1M");

        OspClient.Run run = client.run(CALL);

        assertTrue(run.codes().contains(EXPIRED), run::printed);
    }

    @Test
    void realClientRefusesATokenThatHasNotBegun(Scene scene) throws Exception {
        OspClient client = OspClient.in(folder);
        client.startPeer(scene, "token.valid-before=-PT5M");

        OspClient.Run run = client.run(CALL);

        assertTrue(run.codes().contains(TOO_SOON), run::printed);
    }

    @Test
    void realClientVerifiesAsciiTokensWithACertificateInside(Scene scene) throws Exception {
        OspClient client = OspClient.in(folder);
        client.startPeer(scene, "token.kind=ascii-signed-certificate");

        requireFullCall(client.run(CALL));
    }

    @Test
    void realClientTakesUnsignedTokensOnlyWhereItMay(Scene scene) throws Exception {
        OspClient client = OspClient.in(folder);
        client.startPeer(scene, "token.kind=ascii-unsigned");

        OspClient.Run refused = client.with("TOKENALGO", "0").run(CALL);
        OspClient.Run taken = client.with("TOKENALGO", "1").run(CALL);

        assertTrue(refused.codes().contains(UNSIGNED), refused::printed);
        requireFullCall(taken);
    }

    private static void requireFullCall(OspClient.Run run) {
        assertEquals(Set.of(0), Set.copyOf(run.codes()), run::printed);
        assertTrue(run.codes().size() >= CALL.length - 1, run::printed);
        assertTrue(run.printed().contains("authorised = 1"), run::printed);
        assertFalse(run.printed().contains("num dest = 0"), run::printed);
    }
}
