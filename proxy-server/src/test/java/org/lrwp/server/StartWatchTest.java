package org.lrwp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.net.BindException;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.LogRecord;

final class StartWatchTest {
    private final StartWatch watch = new StartWatch();

    @Test
    void withoutAFailureThereIsNoReason() {
        watch.publish(new LogRecord(Level.SEVERE, "without exception"));

        assertEquals(Optional.empty(), watch.reason());
    }

    @Test
    void exceptionOfOursIsTheReasonWhateverIsAroundIt() {
        failure(new IllegalStateException("container", new BindException("unrelated")));
        failure(new IllegalStateException("container", new StartFault("ours")));

        assertEquals(Optional.of("ours"), watch.reason());
    }

    @Test
    void elseTheLastCauseOfTheFirstFailureIsTheReason() {
        failure(new IllegalStateException("outer", new BindException("Address already in use")));
        failure(new IllegalStateException("later"));

        assertEquals(Optional.of("Address already in use"), watch.reason());
    }

    @Test
    void exceptionWithoutWordsIsNamedByItsKind() {
        failure(new IllegalStateException());

        assertEquals(Optional.of("IllegalStateException"), watch.reason());
    }

    private void failure(Throwable thrown) {
        LogRecord record = new LogRecord(Level.SEVERE, "failed");
        record.setThrown(thrown);
        watch.publish(record);
    }
}
