package org.lrwp.osp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lrwp.osp.message.Element;
import org.lrwp.osp.message.RefusedException;
import org.lrwp.osp.message.Sender;
import org.lrwp.osp.message.Status;
import org.lrwp.osp.replay.TakenOnce;
import org.lrwp.osp.testkit.TakenInMemory;
import org.lrwp.osp.testkit.Tokens;
import org.lrwp.osp.testkit.Vectors;
import org.lrwp.osp.usage.NotKeptException;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** The same message twice is answered as the first time and has no second effect. */
@Timeout(60)
final class RepeatedMessageTest {
    private static final byte[] MESSAGE = {1, 2, 3};
    private static final Sender SEVEN = Sender.REMOTE.proving(new Sender.Device("1000", "7"));

    private final AtomicReference<Instant> now = new AtomicReference<>(Tokens.NOW);
    private final AtomicInteger made = new AtomicInteger();

    @Test
    void aRequestThatComesAgainGetsTheSameTransactionAndTokens() throws Exception {
        OspServerFixture server = new OspServerFixture();
        byte[] request = Vectors.bytes("deb413-call/001-AuthorizationRequest");

        byte[] first = server.post(request).body();
        byte[] again = server.post(request).body();

        assertArrayEquals(first, again);
        assertTrue(server.totals().contains(" authorisations=1 "), server::totals);
    }

    @Test
    void aUsageThatComesAgainIsConfirmedAgainAndCountedOnce() throws Exception {
        OspServerFixture server = new OspServerFixture();
        byte[] usage = Vectors.bytes("deb413-call/002-UsageIndication");

        byte[] first = server.post(usage).body();
        byte[] again = server.post(usage).body();

        assertArrayEquals(first, again);
        assertTrue(server.totals().contains(" destination-usages=1 "), server::totals);
    }

    @Test
    void anotherMessageOfTheSameContentIsAnotherCall() throws Exception {
        OspServerFixture server = new OspServerFixture();
        String request = Vectors.body("deb413-call/001-AuthorizationRequest");

        byte[] first = server.post(request).body();
        byte[] other = server.post(request.replace("random=\"", "random=\"1")).body();

        assertFalse(Arrays.equals(first, other));
        assertTrue(server.totals().contains(" authorisations=2 "), server::totals);
    }

    @Test
    void whatWasRefusedIsTriedAgain() throws Exception {
        AnswerMemory memory = memory(10);

        answer(memory, Sender.LOCAL, false);
        answer(memory, Sender.LOCAL, false);

        assertEquals(2, made.get());
    }

    @Test
    void theSameMessageOfAnotherDeviceIsAnotherMessage() throws Exception {
        AnswerMemory memory = memory(10);

        answer(memory, SEVEN, true);
        answer(memory, Sender.REMOTE, true);
        answer(memory, Sender.REMOTE.proving(new Sender.Device("1000", "8")), true);
        answer(memory, SEVEN, true);

        assertEquals(3, made.get());
    }

    @Test
    void answersAreForgottenByTimeAndNumber() throws Exception {
        AnswerMemory memory = memory(1);

        answer(memory, SEVEN, true);
        now.set(Tokens.NOW.plus(Duration.ofMinutes(5)));
        answer(memory, SEVEN, true);
        assertEquals(1, made.get());
        now.set(Tokens.NOW.plus(Duration.ofMinutes(5)).plusNanos(1));
        answer(memory, SEVEN, true);
        assertEquals(2, made.get());
        answer(memory, Sender.LOCAL, true);
        answer(memory, SEVEN, true);

        assertEquals(4, made.get());
    }

    @Test
    void aSecondCopyWaitsForTheAnswerOfTheFirst() throws Exception {
        AnswerMemory memory = memory(10);
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Boolean> held = new CompletableFuture<>();
        try (ExecutorService gateways = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<byte[]> first =
                    gateways.submit(
                            () ->
                                    memory.answer(
                                            SEVEN,
                                            MESSAGE,
                                            () -> {
                                                begun.countDown();
                                                held.join();
                                                return made(true);
                                            }));
            begun.await();
            Future<byte[]> second = gateways.submit(() -> answer(memory, SEVEN, true));
            held.complete(true);

            assertArrayEquals(first.get(), second.get());
        }
        assertEquals(1, made.get());
    }

    @Test
    void aMessageThatCouldNotBeKeptIsTriedAgain() throws Exception {
        AnswerMemory memory = memory(10);

        assertThrows(
                NotKeptException.class,
                () ->
                        memory.answer(
                                SEVEN,
                                MESSAGE,
                                () -> {
                                    throw new NotKeptException("full");
                                }));

        assertArrayEquals(new byte[] {1}, answer(memory, SEVEN, true));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-11-20T07:23:35Z, 530",
        "2026-11-20T07:23:36Z, 200",
        "2026-11-20T07:33:35Z, 200",
        "2026-11-20T07:33:36Z, 530",
        "yesterday, 400",
        "'', 400"
    })
    void aSignedRequestCountsNearItsTimeOnly(String timestamp, int code) {
        assertEquals(code, check(new TakenInMemory(), timestamp));
    }

    @Test
    void aSignedRequestWhoseAnswerIsForgottenIsNotAnsweredAgain() {
        TakenOnce taken = new TakenInMemory();

        assertEquals(200, check(taken, "2026-11-20T07:28:35Z"));
        assertEquals(420, check(taken, "2026-11-20T07:28:35Z"));
        assertEquals(200, check(taken, "2026-11-20T07:28:36Z"));
        assertEquals(
                503,
                check(
                        (kind, content, until) -> TakenOnce.Outcome.NOT_KEPT,
                        "2026-11-20T07:28:35Z"));
    }

    @Test
    void whatNobodyHasSignedNeedsNoTime() throws Exception {
        freshness(new TakenInMemory()).check(Element.of("AuthorizationRequest"), Sender.LOCAL);
    }

    private int check(TakenOnce taken, String timestamp) {
        try {
            freshness(taken)
                    .check(
                            Element.of(
                                    "AuthorizationRequest", Element.leaf("Timestamp", timestamp)),
                            SEVEN);
            return Status.SUCCESS.code();
        } catch (RefusedException refusal) {
            return refusal.status().code();
        }
    }

    private RequestFreshness freshness(TakenOnce taken) {
        return new RequestFreshness(taken, Duration.ofMinutes(5), now::get);
    }

    private AnswerMemory memory(int most) {
        return new AnswerMemory(most, Duration.ofMinutes(5), now::get);
    }

    private byte[] answer(AnswerMemory memory, Sender sender, boolean lasting) throws Exception {
        return memory.answer(sender, MESSAGE, () -> made(lasting));
    }

    private AnswerMemory.Answer made(boolean lasting) {
        return new AnswerMemory.Answer(new byte[] {(byte) made.incrementAndGet()}, lasting);
    }
}
