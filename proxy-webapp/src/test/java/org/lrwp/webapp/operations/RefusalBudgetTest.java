package org.lrwp.webapp.operations;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

class RefusalBudgetTest {
    @Test
    void whatALostLineWouldHaveToldOfIsToldByTheNextOne() {
        var now = new AtomicReference<>(Instant.EPOCH);
        var refusals = new RefusalBudget(1, now::get);
        assertEquals(0, refusals.take());
        assertEquals(-1, refusals.take());
        assertEquals(-1, refusals.take());
        now.set(now.get().plus(Duration.ofHours(1)));
        long omitted = refusals.take();
        assertEquals(2, omitted);
        refusals.untold(omitted);
        assertEquals(-1, refusals.take());

        now.set(now.get().plus(Duration.ofHours(1)));
        assertEquals(3, refusals.take());
    }
}
