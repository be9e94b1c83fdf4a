package org.lrwp.engine.peer.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;
import org.lrwp.protocol.HeaderField;

import java.util.ArrayList;
import java.util.List;

class LocalHeadsTest {
    private final LocalHeads heads = new LocalHeads();

    @Test
    void theSameListIsMadeAHeadOnce() {
        List<HeaderField> fields = List.of(new HeaderField("Content-Type", "text/css"));

        assertSame(heads.of(200, fields), heads.of(200, fields));
        assertEquals(404, heads.of(404, fields).status());
    }

    @Test
    void aListThatCanChangeIsReadEachTime() {
        List<HeaderField> fields = new ArrayList<>();
        fields.add(new HeaderField("Content-Type", "text/css"));
        heads.of(200, fields);

        fields.set(0, new HeaderField("Content-Type", "text/plain"));

        assertEquals("text/plain", heads.of(200, fields).fields().getFirst().value());
    }
}
