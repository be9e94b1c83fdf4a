package org.lrwp.engine.peer.multiplexed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.engine.testkit.MultiplexedPeer.frame;
import static org.lrwp.engine.testkit.MultiplexedPeer.u32;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeState;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.spool.BodyEnding;
import org.lrwp.engine.testkit.MultiplexedPeer;
import org.lrwp.engine.testkit.RecordingClient;
import org.lrwp.engine.testkit.RecordingContext;
import org.lrwp.engine.testkit.RecordingWork;
import org.lrwp.engine.testkit.TestEngine;
import org.lrwp.protocol.frame.FrameType;

import java.time.Duration;
import java.util.List;

/** What becomes of LRWP 3 peers that break a rule of their connection. */
class Lrwp3RuleTest {
    private static final String HEAD = "Content-Type: text/plain\n\n";

    private final TestEngine engine = new TestEngine();
    private final RecordingWork work = new RecordingWork();
    private final RecordingContext context = new RecordingContext();
    private final RecordingClient client = new RecordingClient();

    private MultiplexedPeer peer() {
        return MultiplexedPeer.anOpenPeer(engine, work, MultiplexedPeer.settings(2));
    }

    @ParameterizedTest
    @CsvSource({
        "SETTINGS,   0, '',              a second SETTINGS",
        "REQUEST,    1, '',              REQUEST is for the proxy only",
        "REGISTERED, 0, '',              REGISTERED is for the proxy only",
        "DATA,       1, x,               DATA before RESPONSE on stream 1",
        "DATA,       2, x,               'DATA on stream 2, which is not open'",
        "WINDOW,     2, 1234,            'WINDOW on stream 2, which is not open'",
        "STARTED,    0, '',              'STARTED on stream 0, which is not open'",
    })
    void aBrokenRuleEndsTheConnectionAndItsRequestsGoElsewhere(
            FrameType type, int stream, String payload, String rule) {
        MultiplexedPeer peer = peer();
        Exchange exchange = peer.give("GET", "", context, client);
        peer.frames();
        peer.sends(type, stream, payload);
        assertEquals(List.of("0 ERROR " + rule), peer.frames());
        assertEquals(ExchangeState.QUEUED, exchange.state());
        assertTrue(peer.link().isOutputShut());
        assertNull(peer.connection().claim());
        engine.pass(Duration.ofSeconds(1));
        assertTrue(peer.link().isClosed());
    }

    @ParameterizedTest
    @CsvSource({
        "WINDOW, 1, 12345",
        "PING, 0, 1234567",
        "PONG, 0, 1",
        "CAPACITY, 0, 1",
        "WINDOW, 1, ''"
    })
    void aFrameOfTheWrongLengthEndsTheConnection(FrameType type, int stream, String payload) {
        MultiplexedPeer peer = peer();
        peer.give("POST", "body", context, client);
        peer.frames();
        peer.sends(type, stream, payload);
        assertTrue(peer.frames().getFirst().startsWith("0 ERROR "));
        assertEquals(Failure.PEER_GONE, client.failure());
    }

    @Test
    void aSecondResponseEndsTheConnection() {
        MultiplexedPeer peer = peer();
        peer.give("GET", "", context, client);
        peer.frames();
        peer.sends(FrameType.RESPONSE, 1, HEAD);
        peer.sends(FrameType.RESPONSE, 1, HEAD);
        assertEquals(List.of("0 ERROR a second RESPONSE on stream 1"), peer.frames());
    }

    @Test
    void aRefusalAfterTheStartEndsTheConnection() {
        MultiplexedPeer peer = peer();
        peer.give("GET", "", context, client);
        peer.frames();
        peer.sends(FrameType.STARTED, 1, "");
        peer.sends(FrameType.REFUSED, 1, "");
        assertEquals(List.of("0 ERROR REFUSED after the start of stream 1"), peer.frames());
    }

    @Test
    void anAnswerThatOverrunsItsWindowEndsTheConnection() {
        MultiplexedPeer peer =
                MultiplexedPeer.anOpenPeer(engine, work, MultiplexedPeer.streaming(1));
        peer.give("GET", "", context, client);
        peer.frames();
        peer.sends(FrameType.RESPONSE, 1, HEAD);
        peer.sends(FrameType.DATA, 1, "x".repeat(65_536));
        peer.sends(FrameType.DATA, 1, "x");
        assertEquals(List.of("0 ERROR window overrun on stream 1"), peer.frames());
        assertEquals(BodyEnding.BROKEN, drained());
    }

    private BodyEnding drained() {
        client.read();
        return client.ending();
    }

    @Test
    void aWindowAboveWhatANumberHoldsEndsTheConnection() {
        MultiplexedPeer peer = peer();
        peer.give("GET", "", context, client);
        peer.frames();
        peer.sends(FrameType.WINDOW, 1, u32(4_294_967_295L));
        assertEquals(List.of("0 ERROR window above 4294967295 on stream 1"), peer.frames());
    }

    @Test
    void aPeerThatAsksWithoutReadingIsGivenUp() {
        MultiplexedPeer peer = peer();
        peer.link().takesOnly(0);
        for (int i = 0; i < 1_100; i++) {
            peer.sends(FrameType.PING, 0, "12345678");
        }
        assertEquals("ending", peer.connection().status().state());
    }

    @Test
    void aPeerMayAskForAnyNumberOfAnswersThatItReads() {
        MultiplexedPeer peer = peer();
        peer.link().arrives(frame(FrameType.PING, false, 0, "12345678").repeat(3_000));
        engine.loop().run();
        assertEquals("open", peer.connection().status().state());
        assertEquals(3_000, peer.frames().size());
    }

    @Test
    void aPeerThatReportsAnErrorIsLetGo() {
        MultiplexedPeer peer = peer();
        Exchange exchange = peer.give("GET", "", context, client);
        peer.sends(FrameType.ERROR, 0, "your DATA is wrong");
        assertTrue(peer.link().isClosed());
        assertEquals(ExchangeState.QUEUED, exchange.state());
    }

    @Test
    void aFrameBeforeTheSettingsEndsTheConnection() {
        MultiplexedPeer peer = MultiplexedPeer.aPeer(engine, work, MultiplexedPeer.everything(), 1);
        peer.connection().start();
        peer.frames();
        peer.sends(FrameType.DRAIN, 0, "");
        assertEquals(List.of("0 ERROR DRAIN before SETTINGS"), peer.frames());
    }

    @Test
    void unknownTypesAreSkippedOnAnyStream() {
        MultiplexedPeer peer = peer();
        String unknown = frame(FrameType.PING, false, 77, "whatever").replace((char) 14, (char) 99);
        peer.link().arrives(unknown);
        engine.loop().run();
        assertTrue(peer.frames().isEmpty());
        assertEquals("open", peer.connection().status().state());
    }

    @Test
    void aBodyNeverOvertakesItsRequest() {
        MultiplexedPeer peer = peer();
        for (int i = 0; i < 4; i++) {
            peer.give("POST", "x".repeat(65_530), context, new RecordingClient());
            List<String> frames = peer.frames();
            assertEquals(4, frames.size());
            assertTrue(frames.getFirst().startsWith("1 REQUEST "), "request " + i);
            assertTrue(frames.getLast().startsWith("1 DATA END "), "request " + i);
            peer.answers(1, "done");
        }
    }
}
