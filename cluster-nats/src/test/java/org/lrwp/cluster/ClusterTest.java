package org.lrwp.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.ExchangeListener;
import org.lrwp.sdk.PeerExchange;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Engines as nodes of a cluster: who gets a request, and what becomes of it. */
class ClusterTest {
    private static final List<HeaderField> PLAIN =
            List.of(new HeaderField("Content-Type", "text/plain"));

    private final MemoryHub hub = new MemoryHub();
    private final List<TestNode> nodes = new ArrayList<>();
    private TestNode a;
    private TestNode b;

    @BeforeEach
    void start() throws Exception {
        a = node("a");
        b = node("b");
    }

    private TestNode node(String name) throws Exception {
        var node = new TestNode(hub, name);
        nodes.add(node);
        return node;
    }

    @AfterEach
    void close() {
        nodes.forEach(TestNode::close);
        hub.close();
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static void answer(PeerExchange request, String text) {
        request.answer(200, PLAIN, bytes(text));
    }

    /** The same, and it reaches whoever asked. */
    private static void answer(PeerExchange request, String text, TestNode.Asked asked)
            throws Exception {
        answer(request, text);
        assertEquals("200 " + text, asked.answer());
    }

    private static String id(PeerExchange request) {
        return String.valueOf(request.request().variable("REQUEST_ID"));
    }

    private static CompletableFuture<String> body(PeerExchange request) {
        var whole = new CompletableFuture<String>();
        var read = new StringBuilder();
        request.listen(
                new ExchangeListener() {
                    @Override
                    public void onBody(ByteBuffer bytes) {
                        read.append(StandardCharsets.ISO_8859_1.decode(bytes));
                    }

                    @Override
                    public void onBodyEnd() {
                        whole.complete(read.toString());
                    }
                });
        return whole;
    }

    // ---- Overflow.

    @Test
    void requestWithoutFreeSlotGoesToTheNodeThatHasOne() throws Exception {
        a.serving(1).hears("b", 0);
        b.serving(1);
        a.hears("b", 1);
        TestNode.Asked here = a.ask("POST");
        PeerExchange ofA = a.request();
        TestNode.Asked there = a.ask("POST");
        PeerExchange ofB = b.request();

        answer(ofB, "from b");
        answer(ofA, "from a");

        assertEquals("200 from a", here.answer());
        assertEquals("200 from b", there.answer());
        TestNode.await("two records", () -> a.records().size() == 2);
        assertEquals(
                Set.of("node:b", "local:held"),
                a.records().stream().map(ExchangeRecord::peer).collect(Collectors.toSet()));
        assertEquals(List.of(), b.records());
        assertEquals(1, a.figure("answered"));
        TestNode.await("counted", () -> b.figure("taken") == 1);
    }

    @Test
    void localSlotGoesFirst() throws Exception {
        b.serving(5);
        a.serving(1).hears("b", 5);

        TestNode.Asked asked = a.ask("GET");
        answer(a.request(), "here");

        assertEquals("200 here", asked.answer());
        assertEquals(0, a.figure("sent"));
    }

    @Test
    void contextThatAnotherNodeAloneServesIsKnownHere() throws Exception {
        assertFalse(a.knows());
        b.serving(1);
        TestNode.await("the context is known", a::knows);

        TestNode.Asked asked = a.ask("POST", "a body".getBytes(StandardCharsets.ISO_8859_1));
        PeerExchange request = b.request();
        String text = body(request).get(10, TimeUnit.SECONDS);
        assertEquals("POST", request.request().method());
        assertEquals(6, request.request().bodyLength());
        answer(request, text);

        assertEquals("200 a body", asked.answer());
        assertEquals("text/plain", asked.head().fields().getFirst().value());
        assertEquals(6, asked.head().contentLength());
    }

    @Test
    void mostFreeSlotsGoFirst() throws Exception {
        TestNode c = node("c");
        b.serving(2);
        c.serving(3);
        a.hears("b", 2).hears("c", 3);

        a.ask("GET");
        c.request();
        for (int i = 0; i < 4; i++) {
            a.ask("GET");
        }
        b.request();
        b.request();
        c.request();
        c.request();
        // A heartbeat that has crossed a request promises a slot too many.
        assertEquals(5, a.figure("sent") - a.figure("busy"));
    }

    @Test
    void nodeThatHasNoneGivesTheRequestBackAndItWaits() throws Exception {
        b.serving(1);
        a.hears("b", 1);
        TestNode.Asked first = b.ask("POST");
        PeerExchange held = b.request();
        a.hears("b", 0);

        TestNode.Asked second = a.ask("POST");
        // Its own heartbeats say otherwise in between.
        TestNode.await(
                "busy",
                () -> {
                    hub.forge("a", beat("b", 3));
                    return a.figure("busy") > 0;
                });
        answer(held, "first", first);
        answer(b.request(), "second");

        assertEquals("200 second", second.answer());
        assertEquals(a.figure("sent"), a.figure("busy") + 1);
        assertEquals(a.figure("busy"), b.figure("refused"));
        TestNode.await("a record", () -> a.records().size() == 1);
        assertEquals(0, a.records().getFirst().retries());
    }

    private Message.Heartbeat beat(String name, int free) {
        return new Message.Heartbeat(
                name,
                node(a, name).epoch(),
                hub.session(name),
                "1",
                false,
                List.of(new Message.Load(TestNode.CONTEXT, "", free, free, 0)),
                List.of());
    }

    private static ClusterStatus.Node node(TestNode node, String name) {
        ClusterStatus.Node known = node.node(name);
        if (known == null) {
            throw new AssertionError(name + " is not known");
        }
        return known;
    }

    @Test
    void requestThatHasComeDoesNotGoOn() throws Exception {
        TestNode c = node("c");
        c.serving(5);
        b.serving(1).hears("c", 5);
        b.ask("POST");
        b.request();
        a.hears("b", 0).hears("c", 5);
        hub.kill("c");

        TestNode.Asked asked = a.ask("POST");
        TestNode.await(
                "refused",
                () -> {
                    hub.forge("a", beat("b", 3));
                    return b.figure("refused") > 0;
                });
        asked.leave();

        assertEquals(0, b.figure("sent"));
        assertEquals(0, c.untaken());
    }

    @Test
    void bodyAboveTheLimitWaitsHere() throws Exception {
        b.serving(1);
        a.serving(1).hears("b", 1);
        TestNode.Asked first = a.ask("POST");
        PeerExchange held = a.request();
        TestNode.Asked large = a.ask("POST", new byte[TestNode.MOST_BODY + 1]);
        TestNode.Asked small = a.ask("POST", new byte[TestNode.MOST_BODY]);

        answer(b.request(), "small", small);
        answer(held, "first", first);
        answer(a.request(), "large");

        assertEquals("200 large", large.answer());
        assertEquals(1, a.figure("sent"));
    }

    @Test
    void waitingRequestLeavesWhenAnotherNodeGetsASlot() throws Exception {
        a.serving(1);
        TestNode.Asked first = a.ask("GET");
        PeerExchange held = a.request();
        TestNode.Asked second = a.ask("GET");
        b.serving(1);

        answer(b.request(), "there");

        assertEquals("200 there", second.answer());
        answer(held, "here", first);
    }

    // ---- Answers.

    @Test
    void longAnswerArrivesWholeHoweverSlowly() throws Exception {
        b.serving(1);
        TestNode.await("known", a::knows);
        TestNode.Asked asked = a.ask("GET");
        PeerExchange request = b.request();
        String part = "0123456789abcdef".repeat(4096);
        var expected = new StringBuilder();
        request.respond(200, PLAIN);
        for (int i = 0; i < 40; i++) {
            request.write(bytes(part));
            expected.append(part);
        }
        request.complete();

        assertEquals("200 " + expected, asked.answer());
    }

    @Test
    void firstBytesComeBeforeTheLast() throws Exception {
        b.serving(1);
        TestNode.await("known", a::knows);
        TestNode.Asked asked = a.ask("GET");
        PeerExchange request = b.request();
        request.respond(200, PLAIN);
        request.write(bytes("first "));
        TestNode.await("the head", () -> asked.hasBegun());
        request.write(bytes("last"));
        request.complete();

        assertEquals("200 first last", asked.answer());
        assertEquals(-1, asked.head().contentLength());
    }

    @Test
    void failureOfThePeerIsTheClients() throws Exception {
        b.serving(1);
        TestNode.await("known", a::knows);
        TestNode.Asked asked = a.ask("GET");
        b.request().abort("no");

        assertEquals("502 peer-cancelled", asked.answer());
    }

    @Test
    void answerThatBreaksOffIsCut() throws Exception {
        b.serving(1);
        TestNode.await("known", a::knows);
        TestNode.Asked asked = a.ask("GET");
        PeerExchange request = b.request();
        request.respond(200, PLAIN);
        request.write(bytes("first"));
        TestNode.await("the head", () -> asked.hasBegun());
        request.abort("no");

        assertEquals("cut", asked.answer());
    }

    @Test
    void headHasNoBody() throws Exception {
        b.serving(1);
        TestNode.await("known", a::knows);
        TestNode.Asked asked = a.ask("HEAD");
        answer(b.request(), "12345");

        assertEquals("200 ", asked.answer());
        assertEquals(5, asked.head().contentLength());
    }

    @Test
    void clientThatLeavesIsToldToThePeer() throws Exception {
        b.serving(1);
        TestNode.await("known", a::knows);
        TestNode.Asked asked = a.ask("GET");
        PeerExchange request = b.request();
        asked.leave();

        TestNode.await("cancelled", request::isCancelled);
        request.abort("cancelled");
        a.hears("b", 1);
        assertEquals(0, node(a, "b").away());
    }

    // ---- What is lost of the words of an answer.

    /** Writes more than may go without an ack. */
    private static void writeLong(PeerExchange request) {
        for (int i = 0; i < 20; i++) {
            request.write(ByteBuffer.wrap(new byte[65_536]));
        }
    }

    /** Lets time pass for b, while it does not think that a is silent for long. */
    private void passWhileHeard() {
        if (node(b, "a").ageMillis() < 1000) {
            b.pass(Duration.ofSeconds(10));
        }
    }

    @Test
    void answerWhoseCancelIsLostDoesNotHoldItsPeerForEver() throws Exception {
        b.serving(1).hears("a", 0);
        TestNode.await("known", a::knows);
        TestNode.Asked asked = a.ask("GET");
        PeerExchange request = b.request();
        request.respond(200, PLAIN);
        request.write(bytes("first"));
        TestNode.await("the head", asked::hasBegun);
        hub.loseControl("a", "b");
        asked.leave();
        TestNode.await("it is over here", () -> node(a, "b").away() == 0);
        writeLong(request);
        hub.loseNothing();
        assertFalse(request.isCancelled());

        TestNode.await(
                "cancelled",
                () -> {
                    passWhileHeard();
                    return request.isCancelled();
                });
        request.abort("cancelled");
        a.hears("b", 1);
        assertEquals(List.of(), b.engine().status().exchanges());
    }

    @Test
    void answerWhoseAckIsLostGoesOn() throws Exception {
        b.serving(1).hears("a", 0);
        TestNode.await("known", a::knows);
        TestNode.Asked asked = a.ask("GET");
        PeerExchange request = b.request();
        hub.loseControl("a", "b");
        request.respond(200, PLAIN);
        writeLong(request);
        request.complete();
        TestNode.await("both acks are lost", () -> hub.losses() == 2);
        hub.loseNothing();
        assertFalse(asked.isOver());

        TestNode.await(
                "the rest",
                () -> {
                    passWhileHeard();
                    return asked.isOver();
                });
        assertEquals("200 " + "\0".repeat(20 * 65_536), asked.answer());
    }

    // ---- News.

    @Test
    void newsReachAllOthersAndWhoWasAwayKnowsThatItHasMissedSome() throws Exception {
        a.hears("b", 0);
        b.hears("a", 0);
        a.tell("one");
        TestNode.await("heard", () -> b.news().equals(List.of("a:one")));
        hub.plug("b", false);
        TestNode.await("alone", () -> !b.status().connected());
        a.tell("two");
        b.tell("three");
        hub.plug("b", true);

        TestNode.await("b knows", () -> b.news().contains("a missed"));
        TestNode.await("a knows", () -> a.news().contains("b missed"));
        a.tell("four");
        TestNode.await("heard", () -> b.news().contains("a:four"));
        assertEquals(List.of("b missed"), a.news());
    }

    // ---- Losses.

    @Test
    void withoutTheBusEachNodeWorksAloneAndSaysSo() throws Exception {
        b.serving(2);
        a.serving(1).hears("b", 2);
        a.ask("POST");
        PeerExchange here = a.request();
        TestNode.Asked lost = a.ask("POST");
        PeerExchange there = b.request();
        TestNode.Asked again = a.ask("GET");
        b.request();

        hub.plug("a", false);

        assertEquals("502 peer-gone", lost.answer());
        assertFalse(a.status().connected());
        assertEquals("unplugged", a.status().reason());
        TestNode.await("both are lost", () -> a.figure("lost") == 2);
        answer(there, "too late");
        answer(here, "first");
        answer(a.request(), "alone", again);

        hub.plug("a", true);
        TestNode.await("joined", () -> a.status().connected());
        a.ask("GET");
        a.request();
        TestNode.Asked there2 = a.ask("GET");
        answer(b.request(), "together", there2);
    }

    @Test
    void whatADeadNodeHasIsLostAndWhatMayBeRepeatedGoesOn() throws Exception {
        b.serving(2);
        TestNode.await("known", a::knows);
        TestNode.Asked post = a.ask("POST");
        TestNode.Asked get = a.ask("GET");
        b.request();
        b.request();
        // Nobody is believed to be dead before the own connection has been up for a while.
        TestNode.await("settled", () -> a.status().sinceMillis() > 2000);
        a.serving(1);

        hub.kill("b");

        assertEquals("502 peer-gone", post.answer());
        answer(a.request(), "again", get);
        assertEquals(ClusterStatus.State.GONE, node(a, "b").state());
        assertTrue(a.knows());
    }

    @Test
    void nodeThatIsStartedAgainHasLostWhatItHad() throws Exception {
        b.serving(1);
        TestNode.await("known", a::knows);
        TestNode.Asked post = a.ask("POST");
        b.request();

        hub.forge(
                "a",
                new Message.Heartbeat(
                        "b", 1, hub.session("b") + 1, "1", false, List.of(), List.of()));

        assertEquals("502 peer-gone", post.answer());
    }

    @Test
    void nodeThatIsNotHeardForLongIsForgottenWithItsContexts() throws Exception {
        b.serving(1);
        TestNode.await("known", a::knows);
        TestNode.Asked waits = a.ask("POST");
        b.request();
        hub.kill("b");
        // Its last heartbeat must not come behind the time that passes.
        hub.awaitHeard("a");
        a.pass(Duration.ofSeconds(31));

        assertEquals("502 peer-gone", waits.answer());
        TestNode.await("its contexts are forgotten", () -> !a.knows());
        TestNode.await("forgotten", () -> a.status().nodes().size() == 1);
    }

    /** A node is stopped for a while as others see it: it says nothing, and listens. */
    private void stop(String stopped, TestNode other, Duration time) {
        hub.loseHeartbeats(stopped);
        TestNode.await("silent", () -> node(other, stopped).state() == ClusterStatus.State.SILENT);
        other.pass(time);
        // It looks who is silent behind each of its heartbeats.
        int before = hub.beats(name(other));
        TestNode.await("it has looked", () -> hub.beats(name(other)) >= before + 2);
    }

    private static String name(TestNode node) {
        return node.status().node();
    }

    @Test
    void nodeThatWasStoppedForLongStillAnswersWhatItHas() throws Exception {
        b.serving(2);
        a.hears("b", 2);
        TestNode.Asked post = a.ask("POST");
        TestNode.Asked get = a.ask("GET");
        PeerExchange first = b.request();
        PeerExchange second = b.request();

        stop("b", a, Duration.ofSeconds(40));
        TestNode.await("its contexts are forgotten", () -> !a.knows());
        assertFalse(post.isOver());
        assertEquals(0, a.figure("lost"));
        hub.loseNothing();

        first.answer(200, PLAIN, bytes("one"));
        second.answer(200, PLAIN, bytes("one"));
        assertEquals("200 one", post.answer());
        assertEquals("200 one", get.answer());
        a.hears("b", 2);
        assertEquals(0, b.untaken(), "nothing was sent twice");
    }

    @Test
    void requestsOfANodeThatIsStoppedGoOnAsLongAsItMayWaitForThem() throws Exception {
        b.serving(1).hears("a", 0);
        TestNode.await("known", a::knows);
        TestNode.Asked asked = a.ask("POST");
        PeerExchange request = b.request();

        stop("a", b, Duration.ofSeconds(40));
        assertFalse(request.isCancelled());
        hub.loseNothing();
        answer(request, "late", asked);

        a.hears("b", 1);
        a.ask("POST");
        PeerExchange forever = b.request();
        stop("a", b, Duration.ofSeconds(61));
        TestNode.await("nobody waits", forever::isCancelled);
        TestNode.await("forgotten", () -> b.node("a") == null);
    }

    @Test
    void whatIsNoMessageAndWhoHasTheSameNameDoNoHarm() throws Exception {
        hub.forge("a", new Message.Heartbeat("a", 1, 1, "1", false, List.of(), List.of()));
        hub.forge("a", new Message.Heartbeat("a", 1, 1, "1", false, List.of(), List.of()));
        hub.forge("a", new Message.Busy(1));
        hub.forge("a", new Message.Ack("nobody", 1));
        hub.forge("a", new Message.Cancel("nobody"));
        hub.forgeBytes("a", new byte[] {9, 9});
        b.serving(1);
        a.hears("b", 1);

        assertEquals(List.of("a", "b"), names(a));
    }

    private static List<String> names(TestNode node) {
        return node.status().nodes().stream().map(ClusterStatus.Node::name).toList();
    }

    @Test
    void brokenHeadAndLostPieceAreErrors() throws Exception {
        b.serving(3);
        a.hears("b", 3);
        TestNode.Asked broken = a.ask("GET");
        b.request();
        hub.answerLast(
                "a", new Message.Head(77, "", List.of(), -1, 0, true, ByteBuffer.allocate(0)));
        assertEquals("502 broken-head", broken.answer());

        TestNode.Asked gap = a.ask("POST");
        b.request();
        hub.answerLast("a", new Message.Head(200, "", PLAIN, -1, 0, false, ByteBuffer.allocate(1)));
        hub.answerLast("a", new Message.Data(2, 0, true, ByteBuffer.allocate(1)));
        assertEquals("cut", gap.answer());
        TestNode.Asked unknown = a.ask("POST");
        b.request();
        hub.answerLast("a", new Message.Failed("from-the-future"));
        assertEquals("502 peer-gone", unknown.answer());
    }

    @Test
    void drainingNodeGetsNothing() throws Exception {
        b.serving(2);
        a.serving(1).hears("b", 2);
        b.engine().drain(Duration.ZERO);
        TestNode.await("draining", () -> node(a, "b").draining());
        TestNode.Asked first = a.ask("GET");
        PeerExchange held = a.request();
        TestNode.Asked second = a.ask("GET");

        answer(held, "first", first);
        answer(a.request(), "second", second);
        assertEquals(0, a.figure("sent"));
    }

    @Test
    void requestThatComesTwiceIsDoneOnce() throws Exception {
        b.serving(2);
        a.hears("b", 2);
        var request =
                new Message.Request(
                        "a",
                        1,
                        TestNode.CONTEXT,
                        "",
                        "r-twice",
                        "POST",
                        "/osp/x",
                        "192.0.2.1",
                        bytes("REQUEST_ID=r-twice\0\0"),
                        ByteBuffer.allocate(0),
                        -1);

        hub.forge("b", request, "lrwp.v1.test.n.a.an.1.7");
        hub.forge("b", request, "lrwp.v1.test.n.a.an.1.7");
        hub.awaitHeard("b");
        PeerExchange only = b.request();
        assertEquals("r-twice", id(only));
        answer(only, "once");

        TestNode.await("taken", () -> b.figure("taken") == 1);
        assertEquals(0, b.untaken());
    }
}
