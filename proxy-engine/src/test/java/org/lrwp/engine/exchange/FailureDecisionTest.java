package org.lrwp.engine.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FailureDecisionTest {
    @ParameterizedTest
    @CsvSource({
        "PEER_GONE,    NOT_SENT,         false, 0, ELSEWHERE",
        "PEER_GONE,    NOT_SENT,         true,  2, ELSEWHERE",
        "PEER_GONE,    NOT_STARTED,      false, 0, ELSEWHERE",
        "PEER_GONE,    NOT_STARTED,      true,  2, ELSEWHERE",
        "PEER_GONE,    MAY_HAVE_STARTED, true,  1, ELSEWHERE",
        "PEER_GONE,    MAY_HAVE_STARTED, true,  2, ERROR",
        "PEER_GONE,    MAY_HAVE_STARTED, false, 1, ERROR",
        "PEER_GONE,    PARTLY_ANSWERED,  true,  1, ELSEWHERE",
        "PEER_GONE,    PARTLY_ANSWERED,  true,  2, ERROR",
        "PEER_GONE,    PARTLY_ANSWERED,  false, 1, ERROR",
        "PEER_STALLED, NOT_SENT,         false, 0, ELSEWHERE",
        "PEER_STALLED, NOT_STARTED,      false, 0, ELSEWHERE",
        "PEER_STALLED, MAY_HAVE_STARTED, true,  1, ELSEWHERE",
        "PEER_STALLED, MAY_HAVE_STARTED, true,  2, ERROR",
        "PEER_STALLED, MAY_HAVE_STARTED, false, 1, ERROR",
        "PEER_TIMEOUT, MAY_HAVE_STARTED, true,  1, ERROR",
        "PEER_TIMEOUT, PARTLY_ANSWERED,  true,  1, ERROR",
        "BROKEN_FRAME, PARTLY_ANSWERED,  true,  1, ERROR",
        "BROKEN_HEAD,  PARTLY_ANSWERED,  true,  1, ERROR",
        "PEER_CANCELLED, MAY_HAVE_STARTED, true, 1, ERROR",
        "REFUSED,      NOT_STARTED,      false, 0, ELSEWHERE",
    })
    void beforeTheAnswerStarted(
            Failure failure,
            Progress progress,
            boolean idempotent,
            int starts,
            FailureDecision expected) {
        boolean again = idempotent && starts < Tries.MOST_STARTS;
        assertEquals(expected, FailureDecision.of(failure, progress, again, false));
    }

    @ParameterizedTest
    @EnumSource(Failure.class)
    void anAnswerThatHasStartedIsAlwaysCut(Failure failure) {
        for (Progress progress : Progress.values()) {
            assertEquals(FailureDecision.CUT, FailureDecision.of(failure, progress, true, true));
        }
    }

    @Test
    void everyFailureSaysWhatItsClientGets() {
        for (Failure failure : Failure.values()) {
            boolean nobody = failure == Failure.CLIENT_GONE || failure == Failure.CLIENT_STALLED;
            assertEquals(nobody, failure.status() == 0, failure::word);
            assertEquals(failure.status() == 503, failure.retryAfterSeconds() > 0, failure::word);
            assertTrue(failure.word().matches("[a-z]+(-[a-z]+)*"), failure::word);
            assertEquals('.', failure.sentence().charAt(failure.sentence().length() - 1));
        }
    }
}
