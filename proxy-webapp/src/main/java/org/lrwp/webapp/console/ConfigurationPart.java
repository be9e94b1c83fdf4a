package org.lrwp.webapp.console;

import org.lrwp.runtime.configuration.Entry;

import java.util.List;

/** The values of the configuration with their origins: those that somebody has set, then all. */
final class ConfigurationPart {
    private static final Column KEY = Column.wide("Key");
    private static final Column VALUE = Column.wide("Value");
    private static final Column FROM = Column.wide("From");
    private static final Column MEANING = Column.of("Meaning");
    private static final Column ACTS = Column.acts();

    private final Html html;
    private final Forms forms;

    ConfigurationPart(Html html, Forms forms) {
        this.html = html;
        this.forms = forms;
    }

    /**
     * Writes it.
     *
     * @param isAll whether these are all, or those that are looked for
     */
    void write(List<Entry> entries, boolean isAll) {
        if (!isAll) {
            table(entries);
            return;
        }
        List<Entry> set = entries.stream().filter(ConfigurationPart::isSet).toList();
        if (set.isEmpty()) {
            html.element("p", "Every value is the default.", "class", "empty");
        } else {
            table(set);
        }
        html.raw("<details>").element("summary", "All values");
        table(entries);
        html.close("details");
    }

    private static boolean isSet(Entry entry) {
        return !entry.origin().toString().equals("default");
    }

    private void table(List<Entry> entries) {
        if (forms.areWanted()) {
            html.table(KEY, VALUE, FROM, MEANING, ACTS);
        } else {
            html.table(KEY, VALUE, FROM, MEANING);
        }
        entries.forEach(this::row);
        html.endTable();
    }

    private void row(Entry entry) {
        html.raw("<tr>").cell(KEY).path(entry.name()).close("td").cell(VALUE);
        html.element("code", Amounts.orNone(entry.text())).close("td");
        html.cell(FROM)
                .path(entry.origin().toString())
                .close("td")
                .cell(MEANING)
                .prose(entry.meaning())
                .raw("<small>")
                .prose(entry.allowed() + (entry.live() ? "" : "; at the start"))
                .close("small");
        html.close("td");
        if (forms.areWanted()) {
            html.cell(ACTS);
            if (entry.live()) {
                acts(entry);
            }
            html.close("td");
        }
        html.close("tr");
    }

    private void acts(Entry entry) {
        forms.unfold("Set", entry.name(), "set");
        forms.hidden("subject", entry.name());
        forms.field("New value of " + entry.name(), "name", "value", "value", entry.text());
        html.element("p", "Until the next start, or until its line of the file changes.");
        forms.button("Set", "");
        forms.fold();
        if (entry.origin().isPassing()) {
            forms.command("unset", "Take back", entry.name());
        }
    }
}
