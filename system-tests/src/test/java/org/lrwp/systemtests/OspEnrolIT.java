package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.systemtests.harness.Configuration;
import org.lrwp.systemtests.harness.OspClient;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;

import java.nio.file.Path;
import java.util.Set;

/** Debian's enroll gets certificates through the proxy, and its OSP client makes calls by them. */
@SystemTest
@ServerConfig
class OspEnrolIT {
    private static final String[] CALL = {"1", "23", "29", "27", "28", "31", "32", "24", "2"};

    @TempDir Path folder;

    @Test
    void realClientEnrolsAndMakesACallWithWhatItGot(Scene scene) throws Exception {
        OspClient client = OspClient.withoutCertificates(folder);
        client.startPeer(scene, accounts(), "enrolment.digest=md5");
        AssertionError refused =
                assertThrows(AssertionError.class, () -> client.enrol(scene, "wrong"));

        client.enrol(scene, "nexus");
        OspClient.Run run = client.run(CALL);

        assertTrue(
                String.valueOf(refused.getMessage()).contains("-password wrong"),
                refused::getMessage);
        assertEquals(Set.of(0), Set.copyOf(run.codes()), run::printed);
        assertTrue(run.printed().contains("authorised = 1"), run::printed);
    }

    @Test
    void realClientRefusesAnAuthorityWhoseDigestItDoesNotKnow(Scene scene) throws Exception {
        OspClient client = OspClient.withoutCertificates(folder);
        client.startPeer(scene, accounts());

        AssertionError refused =
                assertThrows(AssertionError.class, () -> client.enrol(scene, "nexus"));

        assertTrue(
                String.valueOf(refused.getMessage()).contains("-function getcacert"),
                refused::getMessage);
    }

    private String accounts() throws Exception {
        return "enrolment.accounts="
                + Configuration.write(folder.resolve("accounts"), "1000 1000 trans nexus\n");
    }
}
