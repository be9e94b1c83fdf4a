package org.lrwp.webapp.console;

import java.util.Map;
import java.util.Set;

/** What the response cache counts, and a form that empties it. */
final class CachePart {
    private static final Set<String> BYTES = Set.of("capacity", "live");

    private final Html html;
    private final Forms forms;

    CachePart(Html html, Forms forms) {
        this.html = html;
        this.forms = forms;
    }

    void write(Map<String, Long> figures) {
        html.raw("<dl class=\"summary\">");
        figures.forEach(
                (name, value) ->
                        html.raw("<div>")
                                .element("dt", name)
                                .element(
                                        "dd",
                                        BYTES.contains(name)
                                                ? Amounts.bytes(value)
                                                : Amounts.count(value))
                                .close("div"));
        html.close("dl");
        if (forms.areWanted()) {
            html.raw("<div class=\"acts\">");
            forms.unfold("Purge", "the response cache", "purge");
            forms.field(
                    "Prefix; everything when it is empty",
                    "name",
                    "prefix",
                    "placeholder",
                    "host:port/path");
            forms.button("Purge", "bad");
            forms.fold();
            html.close("div");
        }
    }
}
