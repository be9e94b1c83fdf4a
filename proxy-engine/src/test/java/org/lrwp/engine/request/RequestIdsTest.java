package org.lrwp.engine.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.engine.request.HeadFixture.aHead;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

class RequestIdsTest {
    private final RequestIds ids = new RequestIds(0x12ab);

    @Test
    void idsOfAllThreadsAreDifferent() throws Exception {
        Set<String> seen = ConcurrentHashMap.newKeySet();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            threads.add(Thread.ofPlatform().start(() -> addSome(seen)));
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertEquals(40 * 100, seen.size());
        assertTrue(seen.stream().allMatch(id -> id.matches("000012ab-[0-9a-f]+")));
        assertTrue(seen.add(ids.idOf(aHead().build(), true)));
    }

    private void addSome(Set<String> seen) {
        for (int i = 0; i < 100; i++) {
            seen.add(ids.next());
        }
    }

    @Test
    void saneIdOfATrustedProxyIsKept() throws BadRequestException {
        var head = aHead().with("X-Request-Id", "Abc_123.x-9").build();

        assertEquals("Abc_123.x-9", ids.idOf(head, true));
        assertTrue(ids.idOf(head, false).startsWith("000012ab-"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "short", "has space", "has\ttab.", "quote\"12", "semi;colon"})
    void anyOtherIsReplaced(String own) throws BadRequestException {
        assertNotEquals(own, ids.idOf(aHead().with("X-Request-Id", own).build(), true));
    }

    @Test
    void idLongerThanAllowedIsReplaced() throws BadRequestException {
        var head = aHead().with("X-Request-Id", "a".repeat(65)).build();

        assertTrue(ids.idOf(head, true).startsWith("000012ab-"));
    }
}
