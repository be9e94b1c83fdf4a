package org.lrwp.engine.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.lrwp.engine.request.HeadFixture.aHead;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestIdsTest {
    private final RequestIds ids = new RequestIds(0x12ab);

    @Test
    void idsAreDifferent() throws BadRequestException {
        assertEquals("000012ab-1", ids.next());
        assertEquals("000012ab-2", ids.idOf(aHead().build(), true));
    }

    @Test
    void saneIdOfATrustedProxyIsKept() throws BadRequestException {
        var head = aHead().with("X-Request-Id", "Abc_123.x-9").build();

        assertEquals("Abc_123.x-9", ids.idOf(head, true));
        assertEquals("000012ab-1", ids.idOf(head, false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "short", "has space", "has\ttab.", "quote\"12", "semi;colon"})
    void anyOtherIsReplaced(String own) throws BadRequestException {
        assertNotEquals(own, ids.idOf(aHead().with("X-Request-Id", own).build(), true));
    }

    @Test
    void idLongerThanAllowedIsReplaced() throws BadRequestException {
        var head = aHead().with("X-Request-Id", "a".repeat(65)).build();

        assertEquals("000012ab-1", ids.idOf(head, true));
    }
}
