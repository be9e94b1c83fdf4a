package org.lrwp.webapp.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.verify;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.webapp.client.ErrorAnswer;

import java.io.IOException;
import java.nio.file.Path;

/** What a client gets instead of an answer, and what becomes of the rest of its request. */
class RefusedRequestTest {
    private ClientFixture one;

    @BeforeEach
    void setUp(@TempDir Path folder) throws IOException {
        one = new ClientFixture(folder);
    }

    @AfterEach
    void tearDown() {
        one.close();
    }

    @Test
    void errorIsSmallAndCompletesTheRequest() {
        var client = one.client(0);
        one.start(client);

        client.fail(Failure.QUEUE_FULL);

        assertEquals(503, one.status);
        assertEquals("1", one.header("Retry-After"));
        assertEquals("close", one.header("Connection"));
        assertTrue(one.link.ended);
        assertTrue(one.out.text().startsWith("503 queue-full: "), one.out.text());
        assertTrue(one.isOver());
        assertEquals("queue-full", one.log.getFirst().reason());
        assertEquals(503, one.log.getFirst().status());
        assertEquals(one.out.size(), one.log.getFirst().answerBytes());
        assertEquals(one.out.size(), client.errorBytes(Failure.QUEUE_FULL));
    }

    @Test
    void clientOfAProxyThatGoesDownIsSentElsewhere() {
        one.link.keepsOpen = true;
        var client = one.client(0);
        one.start(client);

        client.fail(Failure.DRAINING);

        assertEquals(503, one.status);
        assertEquals("close", one.header("Connection"));
        assertTrue(one.link.ended);
    }

    @Test
    void bodiesOfErrorsEndWithANewline() {
        for (String accept : new String[] {"text/plain", "application/json"}) {
            var client = one.client(0);
            one.start(client);
            client.fail(ErrorAnswer.of(404), false);
            assertTrue(one.out.text().endsWith("\n"), accept);
        }
    }

    @Test
    void errorIsNeverWaitedForWhereNobodyKnowsWhatIsPending() throws IOException {
        one.link.tellsPending = false;
        one.out.strict = true;
        var client = one.client(10);
        one.start(client);

        client.fail(ErrorAnswer.of(404), false);
        assertTrue(one.out.text().startsWith("404"), one.out.text());
        assertEquals(0, one.out.flushes);
        one.out.unblock();
        assertEquals(1, one.out.flushes);
        one.in.arrive("0123456789");
        one.in.end();

        assertTrue(one.isOver());
        assertFalse(one.link.isCut());
    }

    @Test
    void errorWaitsWhileTheConnectionStillHasTheLastAnswer() throws IOException {
        one.link.pending = 5;
        one.out.block();
        var client = one.client(0);
        one.start(client);

        client.fail(ErrorAnswer.of(404), false);
        assertEquals("", one.out.text());
        one.out.unblock();

        assertTrue(one.out.text().startsWith("404"), one.out.text());
        assertTrue(one.isOver());
    }

    @Test
    void clientThatReadsNothingOfAnErrorIsCutAfterTheStallTime() {
        one.link.tellsPending = false;
        one.out.block();
        var client = one.client(0);
        one.start(client);
        client.fail(ErrorAnswer.of(404), false);

        one.passSeconds(62);

        assertTrue(one.link.events.contains("reset"));
        assertTrue(one.isOver());
        assertEquals(1, one.log.size());
    }

    @Test
    void errorThatLeavesTheConnectionOpenDoesNotCloseIt() {
        var client = one.client(0);
        one.start(client);

        client.fail(ErrorAnswer.of(404), false);

        assertNull(one.header("Connection"));
        assertFalse(one.link.ended);
    }

    @Test
    void requestThatIsAnsweredBeforeTheServletReturnsIsDispatched() throws IOException {
        var client = one.client(3);
        client.fail(ErrorAnswer.of(404), false);

        one.start(client);

        assertEquals(1, one.dispatched);
        assertEquals(0, one.completed);
        verify(one.request).setAttribute(ServletStream.DONE, true);
    }

    @Test
    void restOfARefusedRequestIsReadAndDropped() throws IOException {
        var client = one.client(10);
        one.start(client);
        client.fail(ErrorAnswer.of(404), false);
        assertFalse(one.isOver());
        assertTrue(one.out.text().startsWith("404"), one.out.text());

        one.in.arrive("0123456789");
        assertEquals(0, one.in.unread());
        one.in.end();

        assertEquals(1, one.completed);
        assertFalse(one.link.isCut());
    }

    /** The container would take what comes of the rest for the next request's. */
    @Test
    void requestWhoseBodyIsBeingReadIsNotTheContainersBeforeItsEnd() throws IOException {
        var client = one.client(10);
        one.in.arrive("0123");
        one.in.whileRead = () -> client.fail(ErrorAnswer.of(404), false);

        one.start(client);

        assertTrue(one.out.text().startsWith("404"), one.out.text());
        assertFalse(one.isOver());
        one.in.arrive("456789");
        one.in.end();
        assertEquals(1, one.completed);
        assertFalse(one.link.isCut());
    }

    @Test
    void restAboveTheLimitEndsTheConnection() throws IOException {
        var client = one.client(1000);
        client.fail(ErrorAnswer.of(404), false);
        one.start(client);
        assertEquals("close", one.header("Connection"));

        one.in.arrive("x".repeat(99));
        assertFalse(one.isOver());
        one.in.arrive("x".repeat(99));

        assertTrue(one.isOver());
        assertTrue(one.link.events.contains("close"));
    }

    @Test
    void silentRestEndsTheConnection() throws IOException {
        var client = one.client(-1);
        client.fail(ErrorAnswer.of(413), true);
        one.start(client);

        one.passSeconds(1);
        one.in.arrive("x");
        one.passSeconds(2);
        assertFalse(one.isOver());
        one.passSeconds(2);

        assertTrue(one.isOver());
        assertTrue(one.link.events.contains("close"));
    }

    @Test
    void clientThatLeavesWhileItsRestIsDroppedEndsIt() {
        var client = one.client(10);
        one.start(client);
        client.fail(ErrorAnswer.of(404), false);

        one.in.breakOff();

        assertTrue(one.isOver());
        one.passSeconds(3);
        assertTrue(one.isOver());
    }

    @Test
    void errorThatCannotBeWrittenEndsTheConnection() {
        one.out.leave();
        var client = one.client(0);
        one.start(client);

        client.fail(Failure.NO_PEER);

        assertTrue(one.link.isCut());
        assertTrue(one.isOver());
    }
}
