package org.lrwp.webapp.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.util.concurrent.atomic.AtomicInteger;

class OnceTest {
    @Test
    void aPlaceIsGivenBackOnceHoweverManyEndsARequestHas() {
        AtomicInteger back = new AtomicInteger();
        Once once = new Once(back::incrementAndGet);
        assertEquals(0, back.get());

        once.run();
        once.run();

        assertEquals(1, back.get());
    }
}
