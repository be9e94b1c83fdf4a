package org.lrwp.webapp.console;

import org.lrwp.webapp.steering.Traffic;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** Draws the last hour as SVG. Colours are those of the style sheet. */
final class Charts {
    private static final int WIDTH = 720;
    private static final int HEIGHT = 120;
    private static final int SAMPLES_PER_BAR = 4;
    private static final int BARS = Traffic.KEPT / SAMPLES_PER_BAR;
    private static final double BAR_WIDTH = (double) WIDTH / BARS;
    private static final double BAR_SECONDS = SAMPLES_PER_BAR * Traffic.STEP.toSeconds();

    private Charts() {}

    /** One colour of a bar, from below. */
    private record Layer(String style, ToLongFunction<Traffic.Sample> count) {}

    private static final List<Layer> LAYERS =
            List.of(
                    new Layer("ok", Traffic.Sample::ok),
                    new Layer("client", Traffic.Sample::clientErrors),
                    new Layer("server", Traffic.Sample::serverErrors),
                    new Layer("gone", Traffic.Sample::gone));

    /** Requests a second by outcome. */
    static void outcomes(Html html, List<Traffic.Sample> samples) {
        double most = 0;
        for (int bar = 0; bar < BARS; bar++) {
            most = Math.max(most, sum(samples, bar, Traffic.Sample::requests));
        }
        double scale = most == 0 ? 1 : most;
        long failed = samples.stream().mapToLong(Traffic.Sample::serverErrors).sum();
        begin(
                html,
                "Requests a second",
                "at most %s a second, %d failed".formatted(rate(most / BAR_SECONDS), failed));
        for (int bar = 0; bar < BARS; bar++) {
            double top = HEIGHT;
            for (Layer layer : LAYERS) {
                double height = HEIGHT * sum(samples, bar, layer.count) / scale;
                if (height > 0) {
                    top -= height;
                    html.open(
                                    "rect",
                                    "class",
                                    layer.style,
                                    "x",
                                    number(bar * BAR_WIDTH + 0.5),
                                    "y",
                                    number(top),
                                    "width",
                                    number(BAR_WIDTH - 1),
                                    "height",
                                    number(Math.max(height, 1)))
                            .close("rect");
                }
            }
        }
        end(html, rate(most / BAR_SECONDS) + " /s");
        legend(
                html,
                "ok",
                "below 400",
                "client",
                "400 to 499",
                "server",
                "500 and above",
                "gone",
                "client gone");
    }

    /** How long requests took. */
    static void latency(Html html, List<Traffic.Sample> samples) {
        double most = samples.stream().mapToDouble(Traffic.Sample::slowMillis).max().orElse(0);
        double scale = most == 0 ? 1 : most;
        begin(html, "Time of a request", "99 of 100 took at most " + millis(most));
        line(html, samples, scale, "slow", Traffic.Sample::slowMillis);
        line(html, samples, scale, "median", Traffic.Sample::medianMillis);
        end(html, millis(most));
        legend(html, "median", "half of them", "slow", "99 of 100");
    }

    /** Pairs of a colour and what it stands for. */
    private static void legend(Html html, String... pairs) {
        html.raw("<p class=\"legend\">");
        for (int i = 0; i < pairs.length; i += 2) {
            html.raw("<span>")
                    .element("i", "", "class", pairs[i])
                    .text(pairs[i + 1])
                    .raw("</span>");
        }
        html.raw("</p>");
    }

    private static void line(
            Html html,
            List<Traffic.Sample> samples,
            double scale,
            String style,
            ToDoubleFunction<Traffic.Sample> value) {
        var points = new StringBuilder();
        int first = Traffic.KEPT - samples.size();
        for (int i = 0; i < samples.size(); i++) {
            double x = (first + i + 0.5) * WIDTH / Traffic.KEPT;
            double y = HEIGHT - (HEIGHT - 2) * value.applyAsDouble(samples.get(i)) / scale;
            points.append(number(x)).append(',').append(number(y)).append(' ');
        }
        html.open("polyline", "class", style, "points", points).close("polyline");
    }

    private static void begin(Html html, String title, String summary) {
        html.open("figure")
                .element("figcaption", title)
                .open(
                        "svg",
                        "viewBox",
                        "0 0 " + WIDTH + " " + HEIGHT,
                        "preserveAspectRatio",
                        "none",
                        "role",
                        "img",
                        "aria-label",
                        title + " within the last hour: " + summary);
    }

    private static void end(Html html, String top) {
        html.close("svg")
                .open("p", "class", "axis")
                .element("span", "an hour ago")
                .element("span", "top: " + top)
                .element("span", "now")
                .close("p")
                .close("figure");
    }

    /** What a bar has; the last one ends now. */
    private static double sum(
            List<Traffic.Sample> samples, int bar, ToLongFunction<Traffic.Sample> count) {
        int first = Traffic.KEPT - samples.size();
        double sum = 0;
        for (int i = 0; i < SAMPLES_PER_BAR; i++) {
            int index = bar * SAMPLES_PER_BAR + i - first;
            sum += index < 0 ? 0 : count.applyAsLong(samples.get(index));
        }
        return sum;
    }

    private static String rate(double perSecond) {
        return perSecond >= 10 || perSecond == 0
                ? Long.toString(Math.round(perSecond))
                : number(perSecond);
    }

    static String millis(double millis) {
        return millis >= 1000 ? number(millis / 1000) + " s" : number(millis) + " ms";
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
