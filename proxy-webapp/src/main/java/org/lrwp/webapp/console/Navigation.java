package org.lrwp.webapp.console;

/** Leads to the sections of the page, and finds rows. */
final class Navigation {
    private final Html html;

    Navigation(Html html) {
        this.html = html;
    }

    void write(Find find) {
        html.raw("<nav aria-label=\"Sections\"><div>");
        for (Section section : Section.values()) {
            html.element("a", section.title(), "href", "#" + section.id());
        }
        html.raw("</div><form method=\"get\" action=\"./\" class=\"inline\" role=\"search\">")
                .open(
                        "input",
                        "type",
                        "search",
                        "name",
                        "find",
                        "value",
                        find.text(),
                        "placeholder",
                        "Context, peer, id ...",
                        "aria-label",
                        "Rows that have this text")
                .raw("<button class=\"quiet\">Find</button>");
        if (!find.isAll()) {
            html.raw("<a href=\"./\">Show all</a>");
        }
        html.raw("</form></nav>");
    }
}
