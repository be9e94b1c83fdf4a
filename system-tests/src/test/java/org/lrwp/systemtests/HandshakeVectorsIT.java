package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lrwp.systemtests.harness.HexVector;
import org.lrwp.systemtests.harness.HexVector.Part;
import org.lrwp.systemtests.harness.HexVector.Sender;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.End;
import org.lrwp.testkit.wire.ScriptedPeer;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Every recorded handshake, byte for byte; only challenges are random. */
@SystemTest
@ServerConfig("admission")
class HandshakeVectorsIT {
    private static final String CHALLENGE = "CHALLENGE\u00ff000000032";
    private static final int LENGTH_DIGITS = 9;

    /** The recorded server did not know 3.0; ours does not know 9.0. */
    private static final String NOW_SPOKEN = "lrwp2-badversion";

    private static final int MAJOR = 1;
    private static final Duration BRIEFLY = Duration.ofMillis(200);
    private static final Duration LONGEST = Duration.ofSeconds(20);

    /** A connection from elsewhere is closed before anything is said; the recorded server spoke. */
    private static final String FROM_ELSEWHERE = "-unauthorized";

    static List<HexVector> recorded() {
        return HexVector.all("lrwp1-", "lrwp2-");
    }

    static List<HexVector> handshakes() {
        return recorded().stream()
                .filter(vector -> !vector.name().endsWith(FROM_ELSEWHERE))
                .toList();
    }

    @Test
    void allRecordedHandshakesAreThere() {
        assertEquals(21, recorded().size());
        assertEquals(19, handshakes().size());
    }

    @Test
    void connectionFromElsewhereIsClosedWithoutAText(Scene scene) throws Exception {
        ScriptedPeer peer =
                scene.closing(ScriptedPeer.dialFrom("127.0.0.2", scene.proxy().lrwpPort()));

        assertEquals(End.FIN, peer.end(LONGEST));
    }

    @ParameterizedTest
    @MethodSource("handshakes")
    void handshakeIsAnsweredAsRecorded(HexVector vector, Scene scene) throws Exception {
        ScriptedPeer peer = scene.closing(dial(scene));
        replay(vector, peer, false);
    }

    @ParameterizedTest
    @MethodSource("handshakes")
    void handshakeThatArrivesByteByByteIsAnsweredAsRecorded(HexVector vector, Scene scene)
            throws Exception {
        ScriptedPeer peer = scene.closing(dial(scene));
        replay(vector, peer, true);
    }

    private static ScriptedPeer dial(Scene scene) throws IOException {
        return ScriptedPeer.dialFrom("127.0.0.1", scene.proxy().lrwpPort());
    }

    private static void replay(HexVector vector, ScriptedPeer peer, boolean byteByByte)
            throws IOException {
        byte[] challengeThen = new byte[0];
        byte[] challengeNow = new byte[0];
        for (Part part : vector.parts()) {
            byte[] bytes = part.bytes();
            if (part.sender() == Sender.PEER && vector.name().equals(NOW_SPOKEN)) {
                bytes[MAJOR] = '9';
            }
            if (part.sender() == Sender.PEER) {
                byte[] answer = answer(bytes, challengeThen, challengeNow);
                send(peer, answer, byteByByte);
            } else if (Bytes.text(bytes).startsWith(CHALLENGE)) {
                byte[] got = peer.wire().read(bytes.length);
                assertEquals(CHALLENGE, Bytes.text(got).substring(0, CHALLENGE.length()));
                challengeThen = Arrays.copyOfRange(bytes, CHALLENGE.length(), bytes.length);
                challengeNow = Arrays.copyOfRange(got, CHALLENGE.length(), got.length);
            } else {
                assertArrayEquals(bytes, peer.wire().read(bytes.length));
                End end = peer.end(part.closes() ? LONGEST : BRIEFLY);
                assertEquals(part.closes() ? End.FIN : End.OPEN, end);
            }
        }
    }

    /** The answer to this challenge that the recorded peer would have given. */
    private static byte[] answer(byte[] recorded, byte[] challengeThen, byte[] challengeNow) {
        byte[] answer = recorded.clone();
        if (challengeThen.length > 0) {
            for (int i = LENGTH_DIGITS; i < answer.length; i++) {
                int at = i - LENGTH_DIGITS;
                answer[i] = (byte) (recorded[i] ^ challengeThen[at] ^ challengeNow[at]);
            }
        }
        return answer;
    }

    private static void send(ScriptedPeer peer, byte[] bytes, boolean byteByByte)
            throws IOException {
        if (!byteByByte) {
            peer.wire().send(bytes);
            return;
        }
        peer.wire().sendSingly(bytes);
    }
}
