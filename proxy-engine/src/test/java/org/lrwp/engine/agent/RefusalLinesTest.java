package org.lrwp.engine.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lrwp.testkit.wire.LogLines;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Logger;

/** However many are refused, the log stays readable, and says how many there were. */
class RefusalLinesTest {
    private static final String LINE =
            "registration-refused peer=10.0.0.1:4711 context=/osp"
                    + " reason=\"ERROR: Incorrect response\" identity=billing";

    private final Logger logger = Logger.getLogger(RefusalLines.class.getName());
    private final LogLines told = new LogLines(RefusalLines.class);
    private final AtomicLong nanos = new AtomicLong();

    @BeforeEach
    void keepTheConsoleReadable() {
        logger.setUseParentHandlers(false);
    }

    @AfterEach
    void leave() {
        told.close();
        logger.setUseParentHandlers(true);
    }

    private void refuse(RefusalLines refusals, int times) {
        for (int i = 0; i < times; i++) {
            refusals.tell("10.0.0.1:4711", "/osp", "ERROR: Incorrect response", "billing");
        }
    }

    @Test
    void aLineSaysWhoWhatAndWhy() {
        var refusals = new RefusalLines(1, nanos::get);
        refuse(refusals, 1);
        refusals.tell("10.0.0.2:1", "", "ERROR: Malformed", "");
        assertEquals(
                List.of(
                        LINE,
                        "registration-refused peer=10.0.0.2:1 context=-"
                                + " reason=\"ERROR: Malformed\" identity=-"),
                told.drain());
    }

    @Test
    void aFloodHasTenSecondsOfLinesAndThenTheRate() {
        var refusals = new RefusalLines(2, nanos::get);
        refuse(refusals, 1000);
        assertEquals(Collections.nCopies(20, LINE), told.drain());
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        refuse(refusals, 1000);
        assertEquals(List.of(LINE + " omitted=980", LINE), told.drain());
    }

    @Test
    void aFloodOfBadHandshakesHasItsOwnLines() {
        var refusals = new RefusalLines(2, nanos::get);
        for (int i = 0; i < 1000; i++) {
            refusals.tellTls("10.0.0.1:4711", "no TLS");
        }
        String line = "tls-refused peer=10.0.0.1:4711 reason=\"no TLS\"";
        assertEquals(Collections.nCopies(20, line), told.drain());
        refuse(refusals, 1);
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        refusals.tellTls("10.0.0.1:4711", "no TLS");
        assertEquals(List.of(LINE, line + " omitted=980"), told.drain());
    }

    @Test
    void withoutARateEachHasALine() {
        refuse(new RefusalLines(0, nanos::get), 1000);
        assertEquals(Collections.nCopies(1000, LINE), told.drain());
    }
}
