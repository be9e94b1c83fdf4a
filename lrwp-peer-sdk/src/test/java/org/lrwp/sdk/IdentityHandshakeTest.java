package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.sdk.PeerFixture.aPeer;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.protocol.IdentityKey;
import org.lrwp.protocol.KeyChallenge;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.testkit.wire.Bytes;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;

/** A peer that shows who it is, and wants the proxy to do the same: docs/protocol.md section 17. */
@Timeout(60)
class IdentityHandshakeTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final IdentityKey KEY = IdentityKey.random(new Random(17));
    private static final String HELLO = "\u00ff3.1\u00ffosp\u00ff\u00ffbilling\u00ff2026a\u00ff";
    private static final int NONCE = 65;

    private final RecordedEvents events = new RecordedEvents();
    @AutoClose private final ScriptedProxy proxy = ScriptedProxy.start();

    private PeerBuilder identified() {
        return aPeer(proxy, events).identity("billing", "2026a", KEY);
    }

    /** Reads the startup string and sends a challenge made with a key. */
    private static KeyChallenge.Seen challenge(ProxySide side, IdentityKey key) throws Exception {
        side.expect(HELLO);
        byte[] startup = Bytes.join(Bytes.of(HELLO), side.read(NONCE));
        var seen = KeyChallenge.Seen.plain(startup);
        side.send(KeyChallenge.create(new Random(1), key, seen).encode());
        return seen;
    }

    @Test
    void peerAndProxyProveTheSameKey() throws Exception {
        try (LrwpPeer peer = identified().connect();
                ProxySide side = proxy.accept()) {
            KeyChallenge.Seen seen = challenge(side, KEY);
            byte[] answer = side.read(41);
            byte[] proof = Arrays.copyOfRange(answer, 9, 41);
            assertTrue(
                    KeyChallenge.create(new Random(1), KEY, seen).isAnsweredBy(proof, KEY, seen));
            try (FrameSide frames = FrameSide.accepted(side, FrameSide.SETTINGS)) {
                assertEquals(1, frames.settings().capacity());
                assertTrue(peer.awaitRegistered(PATIENCE));
            }
        }
    }

    @Test
    void proxyWithoutTheKeyGetsNoProofAndNoLowerVersion() throws Exception {
        try (LrwpPeer _ = identified().connect()) {
            try (ProxySide side = proxy.accept()) {
                challenge(side, IdentityKey.random(new Random(18)));
                side.expectEnd();
            }
            assertEquals(
                    "the proxy does not have the key of this identity",
                    events.next(PeerEvent.Refused.class).text());
            try (ProxySide side = proxy.accept()) {
                side.expect(HELLO);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "OK\u00ff",
                "CHALLENGE\u00ff00000003200000000000000000000000000000000",
                "REJECTED\u00ffERROR: Malformed startup string\u00ff",
                "ERROR: Unknown LRWP version",
            })
    void proxyThatDoesNotProveTheKeyIsLeftAndDialledAgainInTheSameWay(String answer)
            throws Exception {
        try (LrwpPeer _ = identified().connect()) {
            try (ProxySide side = proxy.accept()) {
                side.expect(HELLO);
                side.read(NONCE);
                side.send(answer);
                if (answer.startsWith("ERROR")) {
                    side.hangUp();
                } else {
                    side.expectEnd();
                }
            }
            events.next(PeerEvent.Refused.class);
            try (ProxySide side = proxy.accept()) {
                side.expect(HELLO);
            }
        }
    }

    @Test
    void identityNeedsNamesAndAFileOfItsOwnerWithAKey(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("key");
        PeerBuilder builder = LrwpPeer.builder();
        assertThrows(UncheckedIOException.class, () -> builder.identity("a", "b", file));
        Files.writeString(file, "ab".repeat(32) + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThrows(IllegalArgumentException.class, () -> builder.identity("a", "b", file));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        builder.identity("a", "b", file);
        assertThrows(IllegalArgumentException.class, () -> builder.identity("", "b", file));
        assertThrows(IllegalArgumentException.class, () -> builder.identity("a", "", file));
        assertThrows(IllegalArgumentException.class, () -> builder.identity("a b", "b", file));
        for (String key : new String[] {"ab".repeat(31), "ab".repeat(300), "geheim"}) {
            Files.writeString(file, key);
            String message =
                    String.valueOf(
                            assertThrows(
                                            IllegalArgumentException.class,
                                            () -> builder.identity("a", "b", file))
                                    .getMessage());
            assertTrue(message.contains("key") && !message.contains("geheim"), message);
        }
    }

    @Test
    void identityGoesWithNeitherASecretNorAnOlderVersion() {
        PeerBuilder secret = identified().secret("geheim");
        assertThrows(IllegalStateException.class, secret::connect);
        PeerBuilder old = identified().versions(ProtocolVersion.LRWP_1, ProtocolVersion.LRWP_2);
        assertThrows(IllegalStateException.class, old::connect);
    }
}
