package org.lrwp.webapp.steering;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.webapp.steering.OperatedProxy.text;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lrwp.cluster.OtherNodes;
import org.lrwp.webapp.client.OwnPages;

import java.util.List;

/** Commands for nodes, and for peers of all nodes, by the API. */
class ClusterSteeringTest {
    private final FakeNodes nodes = new FakeNodes();
    private OperatedProxy proxy;

    @BeforeEach
    void start() throws Exception {
        proxy = new OperatedProxy(true);
    }

    @AfterEach
    void stop() {
        proxy.close();
    }

    private String act(int status, String path, String body) throws Exception {
        OwnPages.Answer answer = proxy.act("POST", "cluster/" + path, body);
        assertEquals(status, answer.status(), text(answer));
        return text(answer);
    }

    private List<String> audited() {
        return proxy.audited().stream()
                .map(one -> one.word() + " " + one.subject() + " " + one.detail())
                .map(String::strip)
                .toList();
    }

    @Test
    void proxyThatIsNoneOfAClusterDrainsItself() throws Exception {
        String done = act(200, "drain", "");

        assertTrue(done.contains("This proxy is drained"), done);
        assertTrue(proxy.engine().isDrained());
        assertTrue(text(proxy.api("GET", "status", "")).contains("\"drained\":true"));
        act(200, "resume", "{}");
        assertFalse(proxy.engine().isDrained());
        assertEquals(List.of("drained this proxy", "resumed this proxy"), audited());
    }

    @Test
    void nodeIsDrainedByItsNameOrAsTheOneThatIsAsked() throws Exception {
        proxy.use(nodes);
        act(200, "drain", "{\"node\":\"a\"}");
        assertTrue(proxy.engine().isDrained());
        act(200, "resume", "");
        assertFalse(proxy.engine().isDrained());
        assertEquals(List.of("drained node:a", "resumed node:a"), audited());
        assertEquals(List.of(), nodes.told());
    }

    @Test
    void anotherNodeIsToldAndItsAnswerIsAwaited() throws Exception {
        proxy.use(nodes);
        nodes.add("b").completeAsync(() -> 0);
        String done = act(200, "drain", "{\"node\":\"b\"}");

        assertTrue(done.contains("The node b is drained"), done);
        act(200, "resume", "{\"node\":\"b\"}");
        assertEquals(List.of("b DRAIN_NODE  admin", "b RESUME_NODE  admin"), nodes.told());
        assertFalse(proxy.engine().isDrained());
        assertEquals(List.of("drained node:b", "resumed node:b"), audited());
    }

    @Test
    void nodeThatDoesNotAnswerIsTold() throws Exception {
        proxy.use(nodes);
        nodes.add("b").complete(OtherNodes.UNANSWERED);
        assertTrue(act(409, "drain", "{\"node\":\"b\"}").contains("has not answered"));
        assertEquals(List.of(), audited());
        assertTrue(act(404, "drain", "{\"node\":\"c\"}").contains("no node c"));
    }

    @Test
    void peerIsDrainedAtAllNodes() throws Exception {
        proxy.use(nodes);
        nodes.add("b").complete(2);
        nodes.add("c").complete(0);
        String done = act(200, "peers/drain", "{\"peer\":\"worker-1\"}");

        assertTrue(done.contains("worker-1 gets no new requests (connections: 2 at b)."), done);
        assertEquals(List.of("worker-1"), proxy.engine().status().drainedPeers());
        done = act(200, "peers/resume", "{\"peer\":\"worker-1\"}");
        assertTrue(done.contains("worker-1 gets requests (connections: 2 at b)."), done);
        assertEquals(List.of(), proxy.engine().status().drainedPeers());
        assertEquals(4, nodes.told().size());
        assertEquals("b DRAIN_PEERS worker-1 admin", nodes.told().getFirst());
        assertEquals(
                List.of("drained worker-1 connections=0", "resumed worker-1 connections=0"),
                audited());
    }

    @Test
    void nodesThatHaveNotDrainedAPeerAreNamed() throws Exception {
        proxy.use(nodes);
        nodes.add("b").complete(OtherNodes.UNANSWERED);
        nodes.add("c").complete(1);

        String not = act(409, "peers/drain", "{\"peer\":\"billing\"}");
        assertTrue(not.contains("(connections: 1 at c). Not done: b; say it again."), not);
        not = act(409, "peers/resume", "{\"peer\":\"billing\"}");
        assertTrue(not.contains("Not done: b; say it again."), not);
    }

    @Test
    void peerThatHasNoConnectionIsDrainedForTheNextOneAndResumedOnce() throws Exception {
        assertTrue(act(200, "peers/drain", "{\"peer\":\"new\"}").contains("no connection now"));
        act(200, "peers/resume", "{\"peer\":\"new\"}");
        String not = act(404, "peers/resume", "{\"peer\":\"new\"}");
        assertTrue(not.contains("No peer is drained as new."), not);
    }
}
