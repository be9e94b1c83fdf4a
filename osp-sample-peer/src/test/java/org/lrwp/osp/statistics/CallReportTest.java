package org.lrwp.osp.statistics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.lrwp.osp.message.Status;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

final class CallReportTest {
    private final CallCounters counters = new CallCounters();
    private final List<String> lines = new ArrayList<>();
    private long nanos = 1_000;
    private final CallReport report = new CallReport(counters, () -> nanos, lines::add);

    @Test
    void aSpanIsReportedAsCallsAMinute() {
        calls(30);
        counters.answered("AuthorizationRequest", Status.ROUTE_NOT_FOUND);
        pass(Duration.ofSeconds(20));

        report.span();

        assertEquals(
                List.of(
                        "calls cpm=90 authorisations=30 source-usages=30 destination-usages=30"
                                + " refused=1 refused-404=1"),
                lines);
    }

    @Test
    void anIdleSpanIsNotReported() {
        pass(Duration.ofMinutes(1));

        report.span();

        assertEquals(List.of(), lines);
    }

    @Test
    void aCallCountsInTheSpanInWhichItBecameWhole() {
        counters.answered("AuthorizationRequest", Status.SUCCESS);
        counters.sourceUsage();
        pass(Duration.ofMinutes(1));
        report.span();
        counters.destinationUsage();
        pass(Duration.ofMinutes(1));
        report.span();

        assertEquals(
                List.of(
                        "calls cpm=0 authorisations=1 source-usages=1 destination-usages=0"
                                + " refused=0",
                        "calls cpm=1 authorisations=0 source-usages=0 destination-usages=1"
                                + " refused=0"),
                lines);
    }

    @Test
    void theEndReportsTheLastSpanAndTheTotals() {
        calls(2);
        pass(Duration.ofMinutes(1));
        report.span();
        calls(1);
        pass(Duration.ofSeconds(30));

        report.end();

        assertEquals(
                List.of(
                        "calls cpm=2 authorisations=2 source-usages=2 destination-usages=2"
                                + " refused=0",
                        "calls cpm=2 authorisations=1 source-usages=1 destination-usages=1"
                                + " refused=0",
                        "calls-total calls=3 authorisations=3 source-usages=3 destination-usages=3"
                                + " refused=0 seconds=90"),
                lines);
    }

    @Test
    void anEndWithoutAnyCallStillReportsTheTotals() {
        report.end();

        assertEquals(
                List.of(
                        "calls-total calls=0 authorisations=0 source-usages=0 destination-usages=0"
                                + " refused=0 seconds=0"),
                lines);
    }

    private void calls(int count) {
        for (int i = 0; i < count; i++) {
            counters.answered("AuthorizationRequest", Status.SUCCESS);
            counters.sourceUsage();
            counters.destinationUsage();
        }
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }
}
