package org.lrwp.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/** The two proofs of LRWP 3.1: docs/protocol.md section 17. */
class KeyChallengeTest {
    private static final WireVector VECTOR = WireVector.load("lrwp3-key-ok");
    private static final HexFormat HEX = HexFormat.of();
    private static final IdentityKey KEY = IdentityKey.of(row(0));
    private static final KeyChallenge.Seen SEEN = KeyChallenge.Seen.plain(VECTOR.fromPeer(0));
    private static final int PROOF = 32;

    /** 32 bytes that count up. */
    private static byte[] row(int first) {
        byte[] bytes = new byte[PROOF];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (first + i);
        }
        return bytes;
    }

    private static KeyChallenge received() {
        byte[] bytes = VECTOR.toPeer(0);
        return KeyChallenge.of(
                Arrays.copyOfRange(bytes, bytes.length - KeyChallenge.SIZE, bytes.length));
    }

    private static byte[] proof(byte[] frame) {
        return Arrays.copyOfRange(frame, frame.length - PROOF, frame.length);
    }

    @Test
    void startupStringOfTheVectorIsWrittenAndReadHoweverItIsCut() {
        var claim = new IdentityClaim("billing", "2026a", HEX.formatHex(row(0x20)));
        var registration = new Registration(ProtocolVersion.LRWP_3, "osp", "", claim);

        assertArrayEquals(VECTOR.fromPeer(0), registration.encode());
        for (List<ByteBuffer> cut : Cuts.of(VECTOR.fromPeer(0))) {
            var parser = new HelloParser();
            cut.forEach(parser::feed);
            assertEquals(registration, parser.registration());
            assertArrayEquals(VECTOR.fromPeer(0), parser.startup());
        }
        assertEquals("3.1", registration.versionText());
    }

    @Test
    void proofsAreTheKeyedHashesThatAnotherImplementationComputes() {
        KeyChallenge challenge = received();

        assertEquals(
                "da9ca1d570af4bf8b3b7f2c7add0ef47b383a71a0a687c12d8af1064ff4f5453",
                HEX.formatHex(proof(VECTOR.toPeer(0))));
        assertTrue(challenge.isFromProxyWith(KEY, SEEN));
        assertArrayEquals(VECTOR.fromPeer(1), challenge.answer(KEY, SEEN));
        assertEquals(
                "0db4658fa8864a38f5c98dfe8f58bf5228e3be5ca33986a2455a4c625897ccdc",
                HEX.formatHex(proof(challenge.answer(KEY, SEEN))));
        assertArrayEquals(VECTOR.toPeer(0), challenge.encode());
    }

    @Test
    void insideTlsTheProofsCoverTheCertificateToo() {
        var inside = new KeyChallenge.Seen(VECTOR.fromPeer(0), row(0x60));
        byte[] bytes = row(0x40);
        byte[] proxy =
                HEX.parseHex("5f3da448765180688244a7d633e4ce4a20b858fc37b7ab3dcf38073cf3257c8d");
        byte[] both = Arrays.copyOf(bytes, KeyChallenge.SIZE);
        System.arraycopy(proxy, 0, both, PROOF, PROOF);
        KeyChallenge challenge = KeyChallenge.of(both);

        assertTrue(challenge.isFromProxyWith(KEY, inside));
        assertFalse(challenge.isFromProxyWith(KEY, SEEN));
        assertFalse(received().isFromProxyWith(KEY, inside));
        assertEquals(
                "4b2ba580b6ffda702b19439280500678d74107232332af50dcaf316289059a40",
                HEX.formatHex(proof(challenge.answer(KEY, inside))));
        assertThrows(
                IllegalArgumentException.class,
                () -> new KeyChallenge.Seen(new byte[0], new byte[31]));
    }

    @Test
    void proofIsOfThisKeyThisStartupStringAndThisNonceAndOfOneSideOnly() {
        KeyChallenge challenge = received();
        byte[] answer = proof(VECTOR.fromPeer(1));
        byte[] otherStartup = VECTOR.fromPeer(0);
        otherStartup[otherStartup.length - 2] ^= 1;
        var other = KeyChallenge.Seen.plain(otherStartup);
        IdentityKey otherKey = IdentityKey.of(row(1));

        assertTrue(challenge.isAnsweredBy(answer, KEY, SEEN));
        assertFalse(challenge.isAnsweredBy(answer, otherKey, SEEN));
        assertFalse(challenge.isAnsweredBy(answer, KEY, other));
        assertFalse(challenge.isFromProxyWith(otherKey, SEEN));
        assertFalse(challenge.isFromProxyWith(KEY, other));
        assertFalse(KeyChallenge.create(new Random(1), KEY, SEEN).isAnsweredBy(answer, KEY, SEEN));
        // What the proxy has shown proves nothing when a peer sends it back.
        assertFalse(challenge.isAnsweredBy(proof(VECTOR.toPeer(0)), KEY, SEEN));
        assertFalse(challenge.isAnsweredBy(Arrays.copyOf(answer, 31), KEY, SEEN));
        assertFalse(challenge.isAnsweredBy(new byte[0], KEY, SEEN));
    }

    @Test
    void challengeIsReadHoweverItIsCutAndOnlyBy3() throws Exception {
        for (List<ByteBuffer> cut : Cuts.of(VECTOR.toPeer(0))) {
            var parser = new HandshakeReplyParser(ProtocolVersion.LRWP_3);
            HandshakeReply reply = null;
            for (ByteBuffer piece : cut) {
                reply = parser.feed(piece);
            }
            var challenged = assertInstanceOf(HandshakeReply.KeyChallenged.class, reply);
            assertTrue(challenged.challenge().isFromProxyWith(KEY, SEEN));
        }
        assertThrows(
                MalformedFrameException.class,
                () ->
                        new HandshakeReplyParser(ProtocolVersion.LRWP_2)
                                .feed(ByteBuffer.wrap(VECTOR.toPeer(0))));
        assertThrows(IllegalArgumentException.class, () -> KeyChallenge.of(new byte[63]));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e",
                "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1",
                "geheim02030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
            })
    void keyThatIsShortOrNotHexadecimalIsRefusedWithoutBeingShown(String text) {
        var refused = assertThrows(IllegalArgumentException.class, () -> IdentityKey.parse(text));

        assertFalse(String.valueOf(refused.getMessage()).contains("geheim"));
        assertFalse(String.valueOf(refused.getMessage()).contains("000102"));
    }

    @Test
    void keyIsReadFromItsDigitsAndNotPrinted() {
        assertEquals(KEY, IdentityKey.parse(HEX.formatHex(row(0)) + "\n"));
        assertEquals(KEY.hashCode(), IdentityKey.of(row(0)).hashCode());
        assertNotEquals(KEY, IdentityKey.random(new Random(3)));
        assertEquals("***", KEY.toString());
        assertThrows(IllegalArgumentException.class, () -> IdentityKey.of(new byte[257]));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "a,b", "\u00e9", "a\u00ff"})
    void claimHoldsNamesOnly(String name) {
        String nonce = "0".repeat(IdentityClaim.NONCE_DIGITS);
        assertThrows(IllegalArgumentException.class, () -> new IdentityClaim(name, "", nonce));
        assertThrows(IllegalArgumentException.class, () -> new IdentityClaim("", name, nonce));
        assertThrows(IllegalArgumentException.class, () -> new IdentityClaim("", "", name));
        assertFalse(new IdentityClaim("n", "", nonce).hasKey());
        assertThrows(
                IllegalArgumentException.class,
                () ->
                        new Registration(
                                ProtocolVersion.LRWP_2,
                                "osp",
                                "",
                                new IdentityClaim("n", "k", nonce)));
    }
}
