package org.lrwp.webapp.console;

import org.lrwp.webapp.steering.Traffic;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** How long requests took, on a scale of powers of ten: half of them, and 99 of 100. */
final class LatencyChart {
    private static final int LEAST_DECADES = 2;

    private final Html html;
    private final List<List<Traffic.Sample>> bars;
    private final double slowest;
    private final int lowest;
    private final int highest;

    private LatencyChart(Html html, List<Traffic.Sample> samples) {
        this.html = html;
        this.bars = Chart.bars(samples);
        slowest = most(samples, Traffic.Sample::slowMillis);
        double least =
                samples.stream()
                        .mapToDouble(Traffic.Sample::medianMillis)
                        .filter(millis -> millis > 0)
                        .min()
                        .orElse(1);
        lowest = Math.max(0, (int) Math.floor(Math.log10(least)));
        int above = slowest > 0 ? (int) Math.ceil(Math.log10(slowest)) : 0;
        highest = Math.max(above, lowest + LEAST_DECADES);
    }

    static void write(Html html, List<Traffic.Sample> samples) {
        new LatencyChart(html, samples).write();
    }

    private static double most(
            List<Traffic.Sample> samples, ToDoubleFunction<Traffic.Sample> millis) {
        return samples.stream().mapToDouble(millis).max().orElse(0);
    }

    private void write() {
        List<String> marks = new ArrayList<>();
        for (int power = lowest; power <= highest; power++) {
            marks.add(mark(power));
        }
        var chart = new Chart(html);
        chart.open(
                "Time of a request",
                slowest == 0
                        ? "there was none"
                        : "99 of 100 took at most " + Amounts.millis(slowest),
                marks);
        line("slow", Traffic.Sample::slowMillis);
        line("median", Traffic.Sample::medianMillis);
        for (int bar = 0; bar < bars.size(); bar++) {
            said(chart, bar, bars.get(bar));
        }
        chart.close("median", "half of them, at most", "slow", "99 of 100, at most");
    }

    /** The mark of a power of ten of milliseconds. */
    private static String mark(int power) {
        long value = Math.round(Math.pow(10, power));
        return value >= 1000 ? Amounts.count(value / 1000) + " s" : value + " ms";
    }

    /** A line of steps, which is broken where nothing was asked. */
    private void line(String style, ToDoubleFunction<Traffic.Sample> millis) {
        var path = new StringBuilder();
        boolean drawing = false;
        for (int bar = 0; bar < bars.size(); bar++) {
            double value = most(bars.get(bar), millis);
            if (value > 0) {
                String y = Chart.at(height(value));
                path.append(drawing ? "V" : "M" + Chart.at(bar * Chart.BAR_WIDTH) + " ").append(y);
                path.append('H').append(Chart.at((bar + 1) * Chart.BAR_WIDTH));
            }
            drawing = value > 0;
        }
        html.open("path", "class", style, "d", path).close("path");
    }

    private double height(double millis) {
        double share = (Math.log10(millis) - lowest) / (highest - lowest);
        return Chart.HEIGHT * (1 - Math.clamp(share, 0, 1));
    }

    private static void said(Chart chart, int place, List<Traffic.Sample> bar) {
        double slow = most(bar, Traffic.Sample::slowMillis);
        if (slow > 0) {
            String text =
                    "Until %s UTC: half took at most %s, 99 of 100 at most %s"
                            .formatted(
                                    Amounts.clock(bar.getLast().end()),
                                    Amounts.millis(most(bar, Traffic.Sample::medianMillis)),
                                    Amounts.millis(slow));
            chart.box("reach", place, 0, Chart.HEIGHT, text);
        }
    }
}
