package org.lrwp.runtime.operation;

import org.lrwp.runtime.configuration.Entry;
import org.lrwp.runtime.module.Figure;

import java.util.Locale;

/** Writes the pages of the admin endpoint that are no JSON. */
final class PlainText {
    private PlainText() {}

    /** Values with their origins, and figures. */
    static String people(RunningModule module) {
        StringBuilder text = new StringBuilder();
        text.append(module.type()).append(' ').append(module.name()).append("\n\n");
        for (Entry entry : module.configuration().values().entries()) {
            text.append("%s = %s  (%s)%n".formatted(entry.name(), entry.text(), entry.origin()));
        }
        String refusal = module.configuration().refusal();
        if (!refusal.isEmpty()) {
            text.append("\nThe file as it is now is not in use: ").append(refusal).append('\n');
        }
        text.append('\n');
        for (Figure figure : module.figures()) {
            text.append(
                    "%s = %s %s  (%s)%n"
                            .formatted(
                                    figure.name(),
                                    figure.value(),
                                    figure.unit(),
                                    figure.meaning()));
        }
        return text.toString();
    }

    /** Figures in the text format of Prometheus. */
    static String metrics(RunningModule module) {
        StringBuilder text = new StringBuilder();
        for (Figure figure : module.figures()) {
            String words = figure.name().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
            String name = "lrwp_" + module.type().replace('-', '_') + "_" + words;
            text.append("# HELP %s %s%n".formatted(name, figure.meaning()))
                    .append(
                            "%s{module=\"%s\"} %s%n"
                                    .formatted(name, module.name(), figure.value()));
        }
        return text.toString();
    }
}
