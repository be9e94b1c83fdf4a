package org.lrwp.engine.peer.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.exchange.Client;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.spool.BodyEnding;
import org.lrwp.engine.spool.FilePart;
import org.lrwp.engine.spool.FileParts;
import org.lrwp.engine.spool.Spool;
import org.lrwp.engine.testkit.RecordingClient;
import org.lrwp.engine.testkit.RecordingContext;
import org.lrwp.engine.testkit.RecordingWork;
import org.lrwp.engine.testkit.TestEngine;
import org.lrwp.engine.testkit.TestModule;
import org.lrwp.engine.testkit.TestRegion;
import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.PeerExchange;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

/** Answers of a module in the proxy that are parts of files. */
class LocalFilesTest {
    private static final long LARGE = 6L << 30;

    private final TestEngine engine = new TestEngine();
    private final RecordingContext context = new RecordingContext();
    private final TestModule module = new TestModule(engine, new RecordingWork(), 2);
    private final Taker client = new Taker();

    /** A client that takes files. */
    private static final class Taker implements Client {
        private @Nullable Spool body;
        private @Nullable Failure failure;

        @Override
        public void answer(AnswerHead head, Spool answer) {
            body = answer;
        }

        @Override
        public void fail(Failure why) {
            failure = why;
        }

        @Override
        public boolean takesFiles() {
            return true;
        }

        Spool body() {
            return Objects.requireNonNull(body, "no answer");
        }

        FileParts files() {
            return body().files();
        }

        FilePart next() {
            return Objects.requireNonNull(files().next(), "no part");
        }
    }

    private Exchange give(String method, Client to) {
        Exchange exchange = engine.submit(method, "", context, to);
        module.give(exchange);
        return exchange;
    }

    private static List<HeaderField> withLength(long length) {
        return List.of(
                new HeaderField("Content-Type", "text/plain"),
                new HeaderField("Content-Length", Long.toString(length)));
    }

    private PeerExchange begin(long length) {
        PeerExchange exchange = module.exchange();
        assertTrue(exchange.takesFiles());
        exchange.respond(200, withLength(length));
        return exchange;
    }

    @Test
    void partsReachTheClientInOrderAndTheirFileIsFreeAfterTheDelivery() {
        Exchange exchange = give("GET", client);
        PeerExchange answer = begin(LARGE + 10);
        assertTrue(answer.write(new TestRegion(LARGE)));
        assertTrue(answer.write(new TestRegion(10)), "one may wait behind the one under way");
        answer.complete();
        module.events();

        assertEquals(LARGE, client.next().length());
        client.files().sent(LARGE - 1);
        assertEquals(LARGE, client.next().length());
        client.files().sent(1);
        assertEquals(10, client.next().length());
        assertEquals(BodyEnding.OPEN, client.body().ending());
        client.files().sent(10);
        assertNull(client.files().next());
        assertEquals(BodyEnding.COMPLETE, client.body().ending());
        assertFalse(module.events().contains("done"));
        exchange.delivered();

        assertEquals(List.of("done"), module.events());
        assertEquals(LARGE + 10, engine.records().getLast().answerBytes());
    }

    @Test
    void moreIsWelcomeOnceThePartIsAlmostSent() {
        give("GET", client);
        PeerExchange answer = begin(3_000_000);
        assertTrue(answer.write(new TestRegion(1_000_000)));
        assertFalse(answer.write(new TestRegion(1_000_000)));
        module.events();

        client.files().sent(1_000_000);
        assertEquals(List.of("writable"), module.events());
    }

    @Test
    void whatHasBeenSentIsCountedToTheByteWhenTheClientLeaves() {
        Exchange exchange = give("GET", client);
        begin(1000).write(new TestRegion(1000));
        client.files().sent(7);
        exchange.clientGone(Failure.CLIENT_GONE);

        assertEquals(7, engine.records().getLast().answerBytes());
        assertNull(client.files().next(), "nothing is left to be sent");
        assertTrue(module.events().contains("cancelled the request has ended"));
    }

    @Test
    void anAnswerThatItsModuleGivesUpBreaksOff() {
        give("GET", client);
        PeerExchange answer = begin(1000);
        answer.write(new TestRegion(1000));
        answer.abort("cut");
        assertEquals(BodyEnding.BROKEN, client.body().ending());
        assertFalse(module.events().contains("done"), "its file may still be in use");
        client.body().close();
        client.files().sent(5);
        client.files().add(new LocalFilePart(new TestRegion(1)));
        assertNull(client.files().next());
    }

    @Test
    void aPartThatIsLongerThanTheHeadSaidIsDroppedAndTheAnswerBreaksOff() {
        give("GET", client);
        PeerExchange answer = begin(10);
        answer.write(new TestRegion(11));
        answer.complete();
        assertNull(client.files().next());
        assertEquals(BodyEnding.BROKEN, client.body().ending());
    }

    @Test
    void aHeadRequestGetsNoPart() {
        give("HEAD", client);
        PeerExchange answer = begin(10);
        answer.write(new TestRegion(10));
        answer.complete();
        assertNull(client.files().next());
        assertEquals(BodyEnding.COMPLETE, client.body().ending());
    }

    @Test
    void aBodyIsOfBytesOrOfFiles() {
        give("GET", client);
        PeerExchange ofFiles = begin(10);
        ofFiles.write(new TestRegion(5));
        assertThrows(IllegalStateException.class, () -> ofFiles.write(ByteBuffer.allocate(1)));

        give("GET", client);
        PeerExchange ofBytes = begin(10);
        ofBytes.write(ByteBuffer.allocate(1));
        assertThrows(IllegalStateException.class, () -> ofBytes.write(new TestRegion(1)));
    }

    @Test
    void withoutALengthOrATakerFilesAreRefused() {
        give("GET", client);
        PeerExchange unsized = module.exchange();
        assertThrows(IllegalStateException.class, () -> unsized.write(new TestRegion(1)));
        unsized.respond(200, TestModule.PLAIN);
        assertThrows(IllegalStateException.class, () -> unsized.write(new TestRegion(1)));

        give("GET", new RecordingClient());
        PeerExchange other = module.exchange();
        assertFalse(other.takesFiles());
        other.respond(200, withLength(1));
        assertThrows(UnsupportedOperationException.class, () -> other.write(new TestRegion(1)));
        assertNull(client.failure);
    }
}
