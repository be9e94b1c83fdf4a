package org.lrwp.runtime.operation;

import org.lrwp.runtime.configuration.Entry;
import org.lrwp.runtime.module.Figure;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes the pages of the admin endpoint that are no JSON. */
final class PlainText {
    private PlainText() {}

    /** Values with their origins, figures, and what there is to say beyond them. */
    static String people(Operated subject) {
        StringBuilder text = new StringBuilder();
        text.append(subject.type()).append(' ').append(subject.name()).append("\n\n");
        for (Entry entry : subject.configuration().values().entries()) {
            text.append("%s = %s  (%s)%n".formatted(entry.name(), entry.text(), entry.origin()));
        }
        String refusal = subject.configuration().refusal();
        if (!refusal.isEmpty()) {
            text.append("\nThe file as it is now is not in use: ").append(refusal).append('\n');
        }
        text.append('\n');
        for (Figure figure : subject.figures()) {
            text.append(
                    "%s = %s %s  (%s)%n"
                            .formatted(
                                    figure.name(),
                                    figure.value(),
                                    figure.unit(),
                                    figure.meaning()));
        }
        if (!subject.report().isEmpty()) {
            text.append('\n').append(lines(subject.report()));
        }
        return text.toString();
    }

    static String lines(List<String> lines) {
        return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
    }

    /** Figures in the text format of Prometheus. */
    static String metrics(Operated subject) {
        StringBuilder text = new StringBuilder();
        for (Figure figure : subject.figures()) {
            String words = figure.name().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
            String name = "lrwp_" + subject.type().replace('-', '_') + "_" + words;
            text.append("# HELP %s %s%n".formatted(name, figure.meaning()))
                    .append(
                            "%s{module=\"%s\"} %s%n"
                                    .formatted(name, subject.name(), figure.value()));
        }
        return text.toString();
    }
}
