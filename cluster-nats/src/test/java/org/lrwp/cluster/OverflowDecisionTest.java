package org.lrwp.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.engine.peer.ServedContext;

import java.util.List;
import java.util.Random;

/** Which node gets a request. */
class OverflowDecisionTest {
    private static final ServedContext OSP = new ServedContext("/osp", "");
    private static final long FRESH = 750;

    private int draws;
    private final OverflowDecision decision = new OverflowDecision(FRESH, bound -> draws++ % bound);

    private void hears(String node, int slots, int free, long now) {
        decision.heard(beat(node, slots, free), now);
    }

    private static Message.Heartbeat beat(String node, int slots, int free) {
        return new Message.Heartbeat(
                node,
                1,
                1,
                "1",
                false,
                List.of(new Message.Load("/osp", "", slots, free, 0)),
                List.of());
    }

    @Test
    void nodeWithMostFreeSlotsGetsIt() {
        hears("b", 9, 2, 0);
        hears("c", 9, 4, 0);
        assertEquals("c", decision.pick(OSP, 0));
        assertEquals("c", decision.pick(OSP, 0));
    }

    @Test
    void slotsThatWereTakenAreNotGivenAgain() {
        hears("b", 2, 2, 0);
        assertEquals("b", decision.pick(OSP, 0));
        assertEquals("b", decision.pick(OSP, 0));
        assertNull(decision.pick(OSP, 0));
        decision.ended("b", OSP);
        assertEquals("b", decision.pick(OSP, 0));
    }

    @Test
    void noMoreAreGivenBackThanThereAre() {
        hears("b", 1, 1, 0);
        decision.ended("b", OSP);
        assertEquals("b", decision.pick(OSP, 0));
        assertNull(decision.pick(OSP, 0));
    }

    @Test
    void equalsHaveTheirTurns() {
        hears("b", 8, 8, 0);
        hears("c", 8, 8, 0);
        String first = decision.pick(OSP, 0);
        assertNotEquals(first, decision.pick(OSP, 0));
    }

    @Test
    void ofManyNodesTheOneWithMostDoesNotGetEverything() {
        var random = new Random(1);
        var many = new OverflowDecision(FRESH, random::nextInt);
        for (int i = 0; i < 10; i++) {
            int free = i == 0 ? 100 : 50;
            many.heard(beat("n" + i, free, free), 0);
        }
        int most = 0;
        for (int i = 0; i < 50; i++) {
            most += "n0".equals(many.pick(OSP, 0)) ? 1 : 0;
        }
        assertTrue(most > 0 && most < 25, most + " of 50");
    }

    @Test
    void wordThatComesWithAnAnswerCounts() {
        hears("b", 8, 0, 0);
        assertNull(decision.pick(OSP, 0));
        decision.told("b", OSP, 1);
        assertEquals("b", decision.pick(OSP, 0));
        assertNull(decision.pick(OSP, 0));
    }

    @Test
    void nodeWithoutASlotIsAskedAgainAfterItsNextWord() {
        hears("b", 8, 8, 0);
        assertEquals("b", decision.pick(OSP, 0));
        decision.told("b", OSP, 0);
        assertNull(decision.pick(OSP, 0));
        hears("b", 8, 1, 100);
        assertEquals("b", decision.pick(OSP, 100));
    }

    @Test
    void wordOfYesterdayDoesNotCount() {
        hears("b", 8, 8, 0);
        assertEquals("b", decision.pick(OSP, FRESH));
        assertNull(decision.pick(OSP, FRESH + 1));
    }

    @Test
    void whatANodeDoesNotNameItHasNoMore() {
        hears("b", 8, 8, 0);
        decision.heard(new Message.Heartbeat("b", 1, 1, "1", false, List.of(), List.of()), 1);
        assertNull(decision.pick(OSP, 1));
        decision.told("b", OSP, 1);
        decision.ended("b", OSP);
        assertNull(decision.pick(OSP, 1));
    }

    @Test
    void forgottenNodesGetNothing() {
        hears("b", 8, 8, 0);
        hears("c", 8, 7, 0);
        decision.forget("b");
        assertEquals("c", decision.pick(OSP, 0));
        decision.clear();
        assertNull(decision.pick(OSP, 0));
    }

    @Test
    void contextsOfHostsAreTheirOwn() {
        hears("b", 8, 8, 0);
        assertNull(decision.pick(new ServedContext("/osp", "host"), 0));
    }
}
