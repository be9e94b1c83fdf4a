package org.lrwp.webapp.console;

import org.lrwp.webapp.steering.Traffic;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Draws what charts have in common: the axes, and the last hour in bars of forty seconds. Colours
 * are those of the style sheet.
 */
final class Chart {
    static final int WIDTH = 720;
    static final int HEIGHT = 120;
    static final int SAMPLES_PER_BAR = 4;
    static final int BARS = Traffic.KEPT / SAMPLES_PER_BAR;
    static final double BAR_WIDTH = (double) WIDTH / BARS;
    static final double BAR_SECONDS = SAMPLES_PER_BAR * Traffic.STEP.toSeconds();

    private static final int QUARTERS = 4;

    private final Html html;

    Chart(Html html) {
        this.html = html;
    }

    /** The samples of each bar; the last bar ends now, and those before the start have none. */
    static List<List<Traffic.Sample>> bars(List<Traffic.Sample> samples) {
        int missing = Traffic.KEPT - samples.size();
        List<List<Traffic.Sample>> bars = new ArrayList<>(BARS);
        for (int bar = 0; bar < BARS; bar++) {
            int from = Math.max(0, bar * SAMPLES_PER_BAR - missing);
            int to = Math.max(0, (bar + 1) * SAMPLES_PER_BAR - missing);
            bars.add(samples.subList(from, to));
        }
        return bars;
    }

    /**
     * Begins one.
     *
     * @param summary what it shows, for who cannot see it
     * @param marks of its vertical axis, the lowest first, at equal distances
     */
    Html open(String title, String summary, List<String> marks) {
        html.open("figure").element("figcaption", title).raw("<div class=\"plot\">");
        html.raw("<div class=\"marks\" aria-hidden=\"true\">");
        marks.reversed().forEach(mark -> html.element("span", mark));
        html.raw("</div>")
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
        for (int i = 0; i < marks.size(); i++) {
            line(0, WIDTH, (double) HEIGHT * i / (marks.size() - 1));
        }
        for (int i = 1; i < QUARTERS; i++) {
            double x = (double) WIDTH * i / QUARTERS;
            html.raw("<path class=\"grid\" d=\"M" + at(x) + " 0V" + HEIGHT + "\"></path>");
        }
        return html;
    }

    private void line(double from, double to, double y) {
        html.raw(
                "<path class=\"grid\" d=\"M"
                        + at(from)
                        + " "
                        + at(y)
                        + "H"
                        + at(to)
                        + "\"></path>");
    }

    /** A box that may say something to a pointer. */
    void box(String style, int bar, double top, double height, String said) {
        html.raw("<rect class=\"" + style + "\" x=\"" + at(bar * BAR_WIDTH + 0.5))
                .raw("\" y=\"" + at(top) + "\" width=\"" + at(BAR_WIDTH - 1))
                .raw("\" height=\"" + at(height) + "\">");
        if (!said.isEmpty()) {
            html.element("title", said);
        }
        html.raw("</rect>");
    }

    /** Ends it; pairs of a colour and what it stands for. */
    void close(String... legend) {
        html.raw("</svg><p class=\"axis\" aria-hidden=\"true\"><span>60 min</span><span>45</span>")
                .raw("<span>30</span><span>15</span><span>now</span></p></div>")
                .raw("<p class=\"legend\">");
        for (int i = 0; i < legend.length; i += 2) {
            html.raw("<span>")
                    .element("i", "", "class", legend[i])
                    .text(legend[i + 1])
                    .raw("</span>");
        }
        html.raw("</p></figure>");
    }

    /** A place in a drawing. */
    static String at(double value) {
        return value == Math.rint(value)
                ? Long.toString((long) value)
                : String.format(Locale.ROOT, "%.1f", value);
    }
}
