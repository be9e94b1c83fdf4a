package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.FramePeer;
import org.lrwp.testkit.wire.ScriptedPeer;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Arrays;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Secrets of LRWP 3 peers: docs/protocol.md section 12. */
@SystemTest
@ServerConfig("admission")
class Lrwp3SecretIT {
    private static final String FF = ScriptedPeer.FF;
    private static final String KEY = "funky161";

    private static byte[] challenged(FramePeer peer) throws IOException {
        byte[] frame = peer.wire().read(51);
        assertEquals("CHALLENGE" + FF + "000000032", Bytes.text(frame).substring(0, 19));
        return Arrays.copyOfRange(frame, 19, 51);
    }

    private static byte[] proof(String key, byte[] challenge, String names)
            throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Bytes.of(key), "HmacSHA256"));
        mac.update(challenge);
        return Bytes.join(Bytes.of("000000032"), mac.doFinal(Bytes.of(names)));
    }

    /** A peer that has proved the secret. */
    private static FramePeer proved(Scene scene, String app) throws Exception {
        FramePeer peer = scene.dialFrames().hello(app, "");
        peer.wire().send(proof(KEY, challenged(peer), app + FF));
        peer.admitted().settings();
        peer.requireAlive();
        return peer;
    }

    @ParameterizedTest
    @ValueSource(strings = {"secureapp", "/secureapp", "secureapp/", "//secureapp"})
    void peerThatProvesTheSecretServes(String app, Scene scene) throws Exception {
        FramePeer peer = proved(scene, app);
        RawHttp client = scene.asking("/secureapp/x");
        peer.text(peer.request().stream(), "served");

        assertEquals("served", client.answer().text());
    }

    @Test
    void wrongKeyIsRefused(Scene scene) throws Exception {
        FramePeer peer = scene.dialFrames().hello("secureapp", "");

        peer.wire().send(proof("funky162", challenged(peer), "secureapp" + FF));

        peer.requireRejected("Incorrect LRWP challenge response");
    }

    @Test
    void proofOfOtherNamesIsRefused(Scene scene) throws Exception {
        FramePeer peer = scene.dialFrames().hello("/secureapp", "");

        peer.wire().send(proof(KEY, challenged(peer), "secureapp" + FF));

        peer.requireRejected("Incorrect LRWP challenge response");
    }

    @Test
    void proofCoversTheHost(Scene scene) throws Exception {
        FramePeer right = scene.dialFrames().hello("secureapp", "a.test");
        right.wire().send(proof(KEY, challenged(right), "secureapp" + FF + "a.test"));
        FramePeer wrong = scene.dialFrames().hello("secureapp", "a.test");
        wrong.wire().send(proof(KEY, challenged(wrong), "secureapp" + FF));

        right.accepted();
        wrong.requireRejected("Incorrect LRWP challenge response");
    }

    @Test
    void answerByXorIsRefused(Scene scene) throws Exception {
        FramePeer peer = scene.dialFrames().hello("secureapp", "");
        byte[] answer = challenged(peer);
        for (int i = 0; i < answer.length; i++) {
            answer[i] ^= (byte) KEY.charAt(i % KEY.length());
        }

        peer.wire().send(Bytes.join(Bytes.of("000000032"), answer));

        peer.requireRejected("Incorrect LRWP challenge response");
    }

    @Test
    void answerThatDoesNotComeIsRefused(Scene scene) throws Exception {
        FramePeer peer = scene.dialFrames().hello("secureapp", "");
        challenged(peer);

        peer.requireRejected("Incorrect LRWP challenge response");
    }

    @Test
    void everyChallengeIsAnother(Scene scene) throws Exception {
        FramePeer one = scene.dialFrames();
        FramePeer other = scene.dialFrames();
        one.hello("secureapp", "");
        other.hello("secureapp", "");

        assertFalse(Arrays.equals(challenged(one), challenged(other)));
    }

    @Test
    void contextWithASecretIsNotGrantedToWhoProvedNone(Scene scene) throws Exception {
        FramePeer peer = scene.dialFrames().open("osp");

        assertTrue(peer.register("secureapp", "").contains("secret"));

        peer.requireAlive();
        scene.awaitPeersOf("/osp", 1);
        scene.awaitPeersOf("/secureapp", 0);
    }

    @Test
    void whoProvedTheSecretGetsItsContextsAndThoseWithout(Scene scene) throws Exception {
        FramePeer peer = proved(scene, "//secureapp");

        assertEquals("", peer.register("osp", ""));
        assertEquals("", peer.unregister("secureapp", ""));
        scene.awaitPeersOf("/secureapp", 0);
        assertEquals("", peer.register("/secureapp", ""));

        scene.awaitPeersOf("/secureapp", 1);
        scene.awaitPeersOf("/osp", 1);
    }

    @Test
    void contextThatMayNotBeRegisteredIsRefusedBothWays(Scene scene) throws Exception {
        FramePeer refused = scene.dialFrames().hello("other", "");
        FramePeer peer = scene.dialFrames().open("osp");

        assertEquals("ERROR: Application not permitted", peer.register("other", ""));
        peer.requireAlive();
        refused.requireRejected("ERROR: Application not permitted");
    }
}
