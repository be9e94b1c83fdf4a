package org.lrwp.testkit;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;

import org.junit.jupiter.api.Test;

/** That the comparison of board and metrics finds what is missing. */
class MonitoredMetricsTest {
    private static String fault(String type, MetricSnapshots there) {
        AssertionError fault =
                assertThrows(AssertionError.class, () -> MonitoredMetrics.check(type, there));
        return String.valueOf(fault.getMessage());
    }

    @Test
    void aMetricThatTheBoardAsksForAndNobodyHasIsNamed() {
        String fault = fault("cache", MetricSnapshots.of());

        assertTrue(fault.contains("lrwp_cache_"), fault);
    }

    @Test
    void aKindThatNothingAsksForIsNoProof() {
        MetricSnapshots there =
                MetricSnapshots.of(
                        CounterSnapshot.builder().name("lrwp_unheard_requests").build(),
                        GaugeSnapshot.builder().name("lrwp_unheard_open").build());

        assertTrue(fault("unheard", there).contains("nothing asks for metrics of unheard"));
    }
}
