package org.lrwp.webapp.console;

/** Writes how much of what can be done at once is in use. */
final class Slots {
    static final Column COLUMN = Column.of("Busy slots");

    private Slots() {}

    /** A cell; the bar changes its colour when every slot is busy. */
    static void cell(Html html, int busy, int slots) {
        int most = Math.max(1, slots);
        html.cell(COLUMN)
                .text(Amounts.count(busy) + " of " + Amounts.count(slots))
                .open(
                        "meter",
                        "min",
                        0,
                        "max",
                        most,
                        "low",
                        most - 0.5,
                        "optimum",
                        0,
                        "value",
                        busy,
                        "aria-label",
                        busy + " of " + slots + " slots are busy")
                .raw("</meter></td>");
    }

    /** A number that should be 0. */
    static void warn(Html html, long number) {
        html.element("span", Amounts.count(number), "class", number == 0 ? "" : "warn");
    }
}
