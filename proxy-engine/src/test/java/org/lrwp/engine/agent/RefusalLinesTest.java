package org.lrwp.engine.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.text.MessageFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** However many are refused, the log stays readable, and says how many there were. */
class RefusalLinesTest {
    private static final String LINE =
            "registration-refused peer=10.0.0.1:4711 context=/osp"
                    + " reason=\"ERROR: Incorrect response\" identity=billing";

    private final Logger logger = Logger.getLogger(RefusalLines.class.getName());
    private final List<String> lines = new ArrayList<>();
    private final AtomicLong nanos = new AtomicLong();

    private final Handler taker =
            new Handler() {
                @Override
                public void publish(LogRecord line) {
                    lines.add(MessageFormat.format(line.getMessage(), line.getParameters()));
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            };

    @BeforeEach
    void listen() {
        logger.setUseParentHandlers(false);
        logger.addHandler(taker);
    }

    @AfterEach
    void leave() {
        logger.removeHandler(taker);
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
                lines);
    }

    @Test
    void aFloodHasTenSecondsOfLinesAndThenTheRate() {
        var refusals = new RefusalLines(2, nanos::get);
        refuse(refusals, 1000);
        assertEquals(Collections.nCopies(20, LINE), lines);
        lines.clear();
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        refuse(refusals, 1000);
        assertEquals(List.of(LINE + " omitted=980", LINE), lines);
    }

    @Test
    void aFloodOfBadHandshakesHasItsOwnLines() {
        var refusals = new RefusalLines(2, nanos::get);
        for (int i = 0; i < 1000; i++) {
            refusals.tellTls("10.0.0.1:4711", "no TLS");
        }
        String line = "tls-refused peer=10.0.0.1:4711 reason=\"no TLS\"";
        assertEquals(Collections.nCopies(20, line), lines);
        lines.clear();
        refuse(refusals, 1);
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        refusals.tellTls("10.0.0.1:4711", "no TLS");
        assertEquals(List.of(LINE, line + " omitted=980"), lines);
    }

    @Test
    void withoutARateEachHasALine() {
        refuse(new RefusalLines(0, nanos::get), 1000);
        assertEquals(Collections.nCopies(1000, LINE), lines);
    }
}
