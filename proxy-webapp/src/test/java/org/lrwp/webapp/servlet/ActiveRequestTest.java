package org.lrwp.webapp.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.webapp.servlet.ClientFixture.append;
import static org.lrwp.webapp.servlet.ClientFixture.head;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.engine.spool.Spool;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

class ActiveRequestTest {
    private ClientFixture one;

    @BeforeEach
    void setUp(@TempDir Path folder) throws IOException {
        one = new ClientFixture(folder);
    }

    @AfterEach
    void tearDown() {
        one.close();
    }

    private Spool spoolOf(String text) {
        Spool spool = one.spool();
        append(spool, text);
        return spool;
    }

    private Spool complete(String text) {
        Spool spool = spoolOf(text);
        spool.complete();
        return spool;
    }

    @Test
    void smallAnswerGoesOutInOneWrite() {
        var client = one.client(0);
        one.start(client);

        client.answer(head(10), complete("0123456789"));

        assertEquals("0123456789", one.out.text());
        assertEquals(200, one.status);
        assertEquals("10", one.header("Content-Length"));
        assertEquals(List.of("1", "2"), one.headers.get("x-a"));
        assertEquals("Thu, 01 Jan 1970 00:00:00 GMT", one.header("Date"));
        assertEquals(List.of("prepare Fine"), one.link.events);
        verify(one.response).setBufferSize(10);
        assertNull(one.out.listener);
        assertEquals(1, one.completed);
    }

    @Test
    void restOfAnUploadIsDroppedBeforeItsRequestIsComplete() throws IOException {
        var droppedBefore = new ArrayList<Boolean>();
        doAnswer(call -> droppedBefore.add(one.link.restDropped)).when(one.async).complete();
        var client = one.client(10);
        one.start(client);

        client.departed();

        assertEquals(List.of(true), droppedBefore);
    }

    @Test
    void answerBeforeTheStartWaitsForIt() {
        var client = one.client(0);

        client.answer(head(1), complete("x"));
        assertEquals("", one.out.text());
        one.start(client);

        assertEquals("x", one.out.text());
        assertTrue(one.isOver());
    }

    @Test
    void answerWithoutBodyIsOnlyAHead() {
        var client = one.client(0);
        one.start(client);
        Spool spool = one.spool();
        spool.complete();

        client.answer(head(304, 77, true), spool);

        assertEquals("77", one.header("Content-Length"));
        assertEquals(0, one.out.size());
        assertTrue(one.isOver());
    }

    @Test
    void largeAnswerIsWrittenAsTheClientTakesIt() throws IOException {
        var client = one.client(0);
        one.start(client);
        Spool spool = spoolOf("abc");

        client.answer(head(9), spool);
        assertEquals("abc", one.out.text());
        assertEquals(1, one.out.flushes);
        one.out.block();
        append(spool, "def");
        assertEquals("abc", one.out.text());
        one.out.unblock();
        assertEquals("abcdef", one.out.text());
        assertFalse(one.isOver());
        append(spool, "ghi");
        spool.complete();

        assertEquals("abcdefghi", one.out.text());
        assertTrue(one.isOver());
        assertFalse(one.link.isCut());
    }

    @Test
    void eachPartIsFlushedBeforeTheNextIsThere() throws IOException {
        var client = one.client(0);
        one.start(client);
        Spool spool = one.spool();

        client.answer(head(-1), spool);
        assertEquals(1, one.out.flushes);
        for (int i = 1; i <= 3; i++) {
            append(spool, "event");
            assertEquals(5 * i, one.out.size());
            assertEquals(1 + i, one.out.flushes);
        }
        one.out.block();
        append(spool, "late");
        one.out.unblock();

        assertEquals(19, one.out.size());
        assertEquals(5, one.out.flushes);
    }

    @Test
    void answerWaitsWhileTheConnectionStillHasTheLastOne() throws IOException {
        one.link.pending = 5;
        one.out.block();
        var client = one.client(0);
        one.start(client);

        client.answer(head(1), complete("x"));
        assertEquals("", one.out.text());
        one.link.pending = 0;
        one.out.unblock();

        assertEquals("x", one.out.text());
        assertTrue(one.isOver());
    }

    @Test
    void brokenAnswerCutsTheConnectionWithoutResetWhenItsLengthIsKnown() {
        var client = one.client(0);
        one.start(client);
        Spool spool = spoolOf("abc");
        client.answer(head(9), spool);

        spool.breakOff();

        assertTrue(one.link.events.contains("close"));
        assertTrue(one.isOver());
    }

    @Test
    void brokenAnswerOfUnknownLengthIsReset() {
        var client = one.client(0);
        one.start(client);
        Spool spool = spoolOf("abc");
        one.out.block();
        client.answer(head(-1), spool);

        spool.breakOff();

        assertTrue(one.link.events.contains("reset"));
        assertNull(one.header("Content-Length"));
        assertTrue(one.isOver());
    }

    @Test
    void requestIsTheContainersAgainWhenNobodyReadsItsBodyAnyMore() throws IOException {
        var client = one.client(100);
        one.start(client);
        Spool spool = spoolOf("abc");
        client.answer(head(9), spool);
        List<Boolean> over = new ArrayList<>();
        one.in.whileRead =
                () -> {
                    one.in.whileRead = () -> {};
                    spool.breakOff();
                    over.add(one.isOver());
                };

        one.in.arrive("body");

        assertEquals(List.of(false), over);
        assertTrue(one.isOver());
        one.in.arrive("late");
        assertEquals(4, one.in.unread());
    }

    @Test
    void whatTheClientHasNotTakenOfABrokenAnswerIsGivenBack() throws IOException {
        var client = one.client(0);
        one.start(client);
        Spool spool = spoolOf("abc");
        client.answer(head(-1), spool);
        one.out.block();
        append(spool, "def");
        assertEquals(3, one.spooled());

        spool.breakOff();

        assertEquals(0, one.spooled());
        assertTrue(one.isOver());
    }

    @Test
    void clientThatReadsNothingIsCutAfterTheStallTime() {
        var client = one.client(0);
        one.start(client);
        one.out.block();
        client.answer(head(9), spoolOf("abc"));

        one.passSeconds(59);
        assertFalse(one.isOver());
        one.passSeconds(3);

        assertTrue(one.link.events.contains("reset"));
        assertTrue(one.isOver());
    }

    @Test
    void clientThatReadsALittleIsNotCut() throws IOException {
        var client = one.client(0);
        one.start(client);
        one.out.block();
        one.link.pending = 100;
        Spool spool = spoolOf("abc");
        client.answer(head(6), spool);

        one.passSeconds(40);
        one.link.pending = 90;
        one.passSeconds(40);
        assertFalse(one.isOver());
        one.out.unblock();
        one.passSeconds(70);
        append(spool, "def");
        one.link.pending = 0;
        spool.complete();

        assertEquals("abcdef", one.out.text());
        assertTrue(one.isOver());
        assertFalse(one.link.isCut());
    }

    @Test
    void clientThatLeavesTheEndUnreadIsCutToo() {
        var client = one.client(0);
        one.start(client);
        client.answer(head(1), complete("x"));
        assertTrue(one.isOver());

        var next = one.client(0);
        one.start(next);
        one.link.pending = 7;
        next.answer(head(1), complete("x"));
        one.passSeconds(62);

        assertTrue(one.link.events.contains("reset"));
    }

    @Test
    void answerIsNeverWaitedForWhereNobodyKnowsWhatIsPending() throws IOException {
        one.link.tellsPending = false;
        one.out.strict = true;
        var client = one.client(0);
        one.start(client);

        client.answer(head(-1), complete("0123456789"));
        assertEquals("0123456789", one.out.text());
        assertEquals("10", one.header("Content-Length"));
        assertFalse(one.isOver());
        one.out.unblock();

        assertTrue(one.isOver());
        assertFalse(one.link.isCut());
    }

    @Test
    void clientThatReadsNothingOfAWholeAnswerIsCutAfterTheStallTime() {
        one.link.tellsPending = false;
        one.out.strict = true;
        var client = one.client(0);
        one.start(client);
        client.answer(head(10), complete("0123456789"));

        one.passSeconds(59);
        assertFalse(one.isOver());
        one.passSeconds(3);

        assertTrue(one.link.events.contains("reset"));
        assertTrue(one.isOver());
    }

    @Test
    void clientThatLeavesEndsTheAnswer() {
        var client = one.client(0);
        one.start(client);
        Spool spool = spoolOf("abc");
        client.answer(head(9), spool);
        one.out.leave();

        append(spool, "def");

        assertTrue(one.link.isCut());
        assertTrue(one.isOver());
        one.out.tellGone();
        assertTrue(one.isOver());
    }

    @Test
    void clientThatLeavesBeforeASmallAnswerEndsIt() {
        var client = one.client(0);
        one.start(client);
        one.out.leave();

        client.answer(head(1), complete("x"));

        assertTrue(one.link.isCut());
        assertTrue(one.isOver());
    }

    @Test
    void containerThatTellsOfAGoneClientEndsTheAnswer() {
        var client = one.client(0);
        one.start(client);
        client.answer(head(9), spoolOf("abc"));

        one.out.tellGone();

        assertTrue(one.isOver());
    }

    @Test
    void requestThatAsksForTheEndGetsIt() {
        var client = one.client(0, true);
        one.start(client);

        client.answer(head(1), complete("x"));

        assertTrue(one.link.ended);
    }

    @Test
    void containerThatHasCompletedItselfIsNoFault() {
        doThrow(new IllegalStateException("done")).when(one.async).complete();
        var client = one.client(0);
        one.start(client);

        client.answer(head(1), complete("x"));

        assertEquals("x", one.out.text());
    }

    @Test
    void unexpectedFailureOfTheContainerEndsTheConnection() throws IOException {
        when(one.response.getOutputStream()).thenThrow(new IllegalStateException("writer"));
        var client = one.client(0);
        one.start(client);

        client.answer(head(1), complete("x"));

        assertTrue(one.link.isCut());
        assertTrue(one.isOver());
    }

    @Test
    void bodyThatCannotBeOpenedEndsTheRequest() throws IOException {
        when(one.request.getInputStream()).thenThrow(new IOException("gone"));
        var client = one.client(5);

        one.start(client);

        assertTrue(one.isOver());
    }

    @Test
    void resetContentEndsTheConnectionAsTheContainerSendsNoLength() {
        var client = one.client(0);
        one.start(client);
        Spool spool = one.spool();
        spool.complete();

        client.answer(head(205, 0, true), spool);

        assertEquals("close", one.header("Connection"));
    }
}
