package org.lrwp.webapp.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.webapp.steering.Traffic;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

class ChartsTest {
    private static final Instant END = Instant.parse("2026-11-25T14:00:00Z");

    private static Traffic.Sample sample(long ok, long failed, double median, double slow) {
        return new Traffic.Sample(END, ok, 0, failed, 0, median, slow);
    }

    private static String outcomes(List<Traffic.Sample> samples) {
        var html = new Html();
        OutcomeChart.write(html, samples);
        return html.toString();
    }

    private static String latency(List<Traffic.Sample> samples) {
        var html = new Html();
        LatencyChart.write(html, samples);
        return html.toString();
    }

    /** Forty seconds are a bar; these are the last ones. */
    private static List<Traffic.Sample> bar(Traffic.Sample sample) {
        return List.of(sample, sample, sample, sample);
    }

    @Test
    void verticalAxisEndsAtANumberThatReadsWell() {
        assertEquals(12, OutcomeChart.top(10.8), 1e-9);
        assertEquals(1000, OutcomeChart.top(1000), 1e-9);
        assertEquals(0.1, OutcomeChart.top(0), 1e-9);

        String chart = outcomes(bar(sample(108, 0, 3, 9)));

        assertTrue(chart.contains("<span>12</span><span>6</span><span>0</span>"), chart);
        assertTrue(chart.contains("<span>60 min</span><span>45</span>"), chart);
    }

    @Test
    void barHasItsOutcomesAboveEachOtherAndSaysThemInWords() {
        String chart = outcomes(bar(sample(60, 20, 3, 9)));

        // 6 and 2 of 8 a second are 90 and 30 of 120.
        assertTrue(chart.contains("y=\"30\" width=\"7\" height=\"90\""), chart);
        assertTrue(chart.contains("y=\"0\" width=\"7\" height=\"30\""), chart);
        String words =
                "Until 14:00:00 UTC: 8.0 a second; 320 requests in 40 s, of them 0 4xx, 80 5xx, 0"
                        + " gone";
        assertTrue(chart.contains("<title>" + words + "</title>"), chart);
    }

    @Test
    void timesStandOnAScaleOfPowersOfTen() {
        String chart = latency(bar(sample(1, 0, 10, 1000)));

        assertTrue(
                chart.contains("<span>1 s</span><span>100 ms</span><span>10 ms</span></div>"),
                chart);
        assertTrue(chart.contains("<path class=\"slow\" d=\"M712 0H720\">"), chart);
        assertTrue(chart.contains("<path class=\"median\" d=\"M712 120H720\">"), chart);
        assertTrue(chart.contains("half took at most 10 ms, 99 of 100 at most 1.0 s"), chart);
    }

    @Test
    void lineIsBrokenWhereNothingWasAsked() {
        List<Traffic.Sample> samples = new ArrayList<>(bar(sample(1, 0, 10, 1000)));
        samples.addAll(bar(sample(0, 0, 0, 0)));
        samples.addAll(bar(sample(1, 0, 10, 100)));

        String chart = latency(samples);

        assertTrue(chart.contains("<path class=\"slow\" d=\"M696 0H704M712 60H720\">"), chart);
    }

    @Test
    void chartsWithoutASampleHaveTheirAxes() {
        String outcomes = outcomes(List.of());
        String latency = latency(List.of());

        assertFalse(outcomes.contains("<rect"), outcomes);
        assertTrue(
                latency.contains("<span>100 ms</span><span>10 ms</span><span>1 ms</span>"),
                latency);
        assertTrue(latency.contains("there was none"), latency);
    }
}
