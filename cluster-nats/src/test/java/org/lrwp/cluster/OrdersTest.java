package org.lrwp.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lrwp.engine.audit.AuditEvent;

import java.nio.ByteBuffer;
import java.util.List;

/** What an operator of one node has another one do. */
class OrdersTest {
    private final MemoryHub hub = new MemoryHub();
    private TestNode a;
    private TestNode b;

    @BeforeEach
    void start() throws Exception {
        a = new TestNode(hub, "a");
        b = new TestNode(hub, "b");
        a.hears("b", 0);
        b.hears("a", 0);
    }

    @AfterEach
    void close() {
        a.close();
        b.close();
        hub.close();
    }

    private static List<String> operators(TestNode node) {
        return node.audited().stream()
                .filter(event -> event.actor().identity().equals("erika"))
                .map(OrdersTest::line)
                .toList();
    }

    private static String line(AuditEvent event) {
        return event.word()
                + " "
                + event.subject()
                + " "
                + event.actor().address()
                + " "
                + event.detail();
    }

    @Test
    void nodeThatIsDrainedGetsNothingOfOthersUntilItIsResumed() throws Exception {
        b.serving(2);
        a.hears("b", 2);

        assertEquals(0, a.order("b", Order.Kind.DRAIN_NODE, ""));

        assertTrue(b.engine().isDrained());
        assertFalse(a.engine().isDrained());
        a.hears("b", 0);
        TestNode.await("a knows", () -> a.status().nodes().get(1).draining());
        TestNode.Asked waits = a.ask("GET");
        assertEquals(0, a.figure("sent"));

        assertEquals(0, a.order("b", Order.Kind.RESUME_NODE, ""));
        b.request().answer(200, List.of(), ByteBuffer.allocate(0));
        assertEquals("200 ", waits.answer());
        assertEquals(List.of("drained node:b node:a ", "resumed node:b node:a "), operators(b));
    }

    @Test
    void drainedNodeAnswersItsOwnClientsAndSendsAwayWhatItHasNoSlotFor() throws Exception {
        a.serving(1);
        b.serving(1).hears("a", 1);
        b.order("a", Order.Kind.DRAIN_NODE, "");
        a.hears("b", 1);

        TestNode.Asked here = a.ask("GET");
        TestNode.Asked there = a.ask("GET");
        a.request().answer(200, List.of(), ByteBuffer.allocate(0));
        b.request().answer(200, List.of(), ByteBuffer.allocate(0));

        assertEquals("200 ", here.answer());
        assertEquals("200 ", there.answer());
        assertEquals(1, a.figure("answered"));
    }

    @Test
    void peerIsDrainedThereByItsName() throws Exception {
        b.serving(3);
        a.hears("b", 3);

        assertEquals(1, a.order("b", Order.Kind.DRAIN_PEERS, "local:held"));
        a.hears("b", 0);
        assertEquals(0, a.order("b", Order.Kind.DRAIN_PEERS, "nobody"));
        assertEquals(List.of("local:held", "nobody"), b.engine().status().drainedPeers());
        assertEquals(-1, a.order("b", Order.Kind.RESUME_PEERS, "other"));
        assertEquals(1, a.order("b", Order.Kind.RESUME_PEERS, "local:held"));
        a.hears("b", 3);

        assertEquals(
                List.of(
                        "drained local:held node:a connections=1",
                        "drained nobody node:a connections=0",
                        "resumed local:held node:a connections=1"),
                operators(b));
    }

    @Test
    void whoIsNotThereDoesNotAnswer() {
        assertEquals(List.of("b"), a.others());
        hub.kill("b");
        assertEquals(OtherNodes.UNANSWERED, a.order("b", Order.Kind.DRAIN_NODE, ""));
        assertEquals(OtherNodes.UNANSWERED, a.order("nobody", Order.Kind.DRAIN_NODE, ""));
    }

    /** A node of the first version hears an order and does not understand it. */
    private static final class Deaf implements Bus.Listener {
        @Override
        public void up(Bus bus) {}

        @Override
        public void down(String reason) {}

        @Override
        public void unreached(String reason) {}

        @Override
        public void message(String subject, String answers, byte[] bytes) {}

        @Override
        public void nobody(String answers) {}
    }

    @Test
    void whoDoesNotUnderstandIsGivenUp() {
        try (Bus _ = hub.dial(new Subjects("test", "old", 1), new Deaf())) {
            assertEquals(OtherNodes.UNANSWERED, a.order("old", Order.Kind.DRAIN_NODE, ""));
        }
    }

    @Test
    void nodeThatWorksAloneReachesNobody() {
        hub.plug("a", false);
        TestNode.await("it is alone", () -> !a.status().connected());
        assertEquals(OtherNodes.UNANSWERED, a.order("b", Order.Kind.DRAIN_NODE, ""));
        assertFalse(b.engine().isDrained());
    }

    @Test
    void thereAreNoOthersWithoutACluster() {
        assertEquals("", OtherNodes.NONE.self());
        assertEquals(List.of(), OtherNodes.NONE.names());
        var order = new Order(Order.Kind.DRAIN_NODE, "", "erika");
        assertEquals(OtherNodes.UNANSWERED, OtherNodes.NONE.order("b", order).join());
    }
}
