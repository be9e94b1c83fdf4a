package org.lrwp.webapp.console;

import org.lrwp.webapp.steering.Traffic;

import java.util.List;
import java.util.function.ToLongFunction;

/** Requests per second by outcome, each bar from below. */
final class OutcomeChart {
    private static final double[] STEPS = {1, 1.2, 1.6, 2, 3, 4, 5, 6, 8, 10};

    /** One failure among thousands has to be seen. */
    private static final double LEAST_HEIGHT = 3;

    private OutcomeChart() {}

    /** One colour of a bar. */
    private record Layer(String style, ToLongFunction<Traffic.Sample> count) {}

    private static final List<Layer> LAYERS =
            List.of(
                    new Layer("ok", Traffic.Sample::ok),
                    new Layer("client", Traffic.Sample::clientErrors),
                    new Layer("server", Traffic.Sample::serverErrors),
                    new Layer("gone", Traffic.Sample::gone));

    static void write(Html html, List<Traffic.Sample> samples) {
        List<List<Traffic.Sample>> bars = Chart.bars(samples);
        double most =
                bars.stream()
                        .mapToDouble(bar -> rate(bar, Traffic.Sample::requests))
                        .max()
                        .orElse(0);
        long failed = sum(samples, Traffic.Sample::serverErrors);
        double top = top(most);
        var chart = new Chart(html);
        chart.open(
                "Requests per second",
                "at most "
                        + Amounts.rate(most)
                        + " per second, "
                        + Amounts.count(failed)
                        + " failed",
                List.of("0", mark(top / 2), mark(top)));
        for (int bar = 0; bar < bars.size(); bar++) {
            bar(chart, bar, bars.get(bar), top);
        }
        chart.close(
                "ok",
                "below 400",
                "client",
                "400 to 499",
                "server",
                "500 and above",
                "gone",
                "client gone");
    }

    private static void bar(Chart chart, int place, List<Traffic.Sample> bar, double top) {
        double y = Chart.HEIGHT;
        for (Layer layer : LAYERS) {
            double height = Chart.HEIGHT * rate(bar, layer.count) / top;
            if (height > 0) {
                double seen = Math.max(height, LEAST_HEIGHT);
                y -= seen;
                chart.box(layer.style, place, y, seen, "");
            }
        }
        if (sum(bar, Traffic.Sample::requests) > 0) {
            chart.box("reach", place, 0, Chart.HEIGHT, words(bar));
        }
    }

    private static String words(List<Traffic.Sample> bar) {
        return "Until %s UTC: %s a second; %s in %s s, of them %s 4xx, %s 5xx, %s gone"
                .formatted(
                        Amounts.clock(bar.getLast().end()),
                        Amounts.rate(rate(bar, Traffic.Sample::requests)),
                        Amounts.count(sum(bar, Traffic.Sample::requests), "request", "requests"),
                        Chart.at(Chart.BAR_SECONDS),
                        Amounts.count(sum(bar, Traffic.Sample::clientErrors)),
                        Amounts.count(sum(bar, Traffic.Sample::serverErrors)),
                        Amounts.count(sum(bar, Traffic.Sample::gone)));
    }

    private static long sum(List<Traffic.Sample> bar, ToLongFunction<Traffic.Sample> count) {
        return bar.stream().mapToLong(count).sum();
    }

    private static double rate(List<Traffic.Sample> bar, ToLongFunction<Traffic.Sample> count) {
        return sum(bar, count) / Chart.BAR_SECONDS;
    }

    /** The next number above that reads well, and its half too. */
    static double top(double most) {
        double power = Math.pow(10, Math.floor(Math.log10(Math.max(most, 0.2))));
        for (double step : STEPS) {
            if (most <= step * power) {
                return step * power;
            }
        }
        return 10 * power;
    }

    private static String mark(double value) {
        return value >= 1 && value == Math.rint(value)
                ? Amounts.count(Math.round(value))
                : Double.toString(Math.rint(value * 1000) / 1000);
    }
}
