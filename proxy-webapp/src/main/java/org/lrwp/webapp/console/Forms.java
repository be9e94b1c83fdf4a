package org.lrwp.webapp.console;

import org.jspecify.annotations.Nullable;

/** Writes forms for an operator. Made for one page. */
final class Forms {
    private final Html html;
    private final Sessions.@Nullable Session session;
    private final Find find;

    /**
     * Creates them.
     *
     * @param session who sees them; null for somebody who has not logged in
     * @param find what the page shows, and shows again after a command
     */
    Forms(Html html, Sessions.@Nullable Session session, Find find) {
        this.html = html;
        this.session = session;
        this.find = find;
    }

    /** Whether he may act; who may not gets no form. */
    boolean areWanted() {
        return session != null;
    }

    /** Begins a form, with the secret of the session. */
    void open(String action, String style) {
        html.open("form", "method", "post", "action", action, "class", style);
        Sessions.Session known = session;
        hidden("form", known == null ? "" : known.form());
        if (!find.isAll()) {
            hidden("find", find.text());
        }
    }

    void close() {
        html.close("form");
    }

    void hidden(String name, String value) {
        html.open("input", "type", "hidden", "name", name, "value", value);
    }

    void button(String label, String style) {
        html.element("button", label, "class", style);
    }

    /** A command that is one button. */
    void command(String action, String label, String subject) {
        open(action, "inline");
        hidden("subject", subject);
        html.element("button", label, "class", "quiet", "aria-label", label + " " + subject);
        close();
    }

    /** Begins a form that opens from a button; one is open at a time. */
    void unfold(String label, String of, String action) {
        html.raw("<details class=\"act\" name=\"act\">")
                .element("summary", label, "aria-label", label + " " + of);
        open(action, "stack");
    }

    void fold() {
        close();
        html.close("details");
    }

    /** A command that asks once more. */
    void asking(String action, String label, String subject, String consequence) {
        unfold(label, subject, action);
        hidden("subject", subject);
        html.element("p", consequence);
        button(label + " " + subject, "bad");
        fold();
    }

    /** A field with its name before it. */
    void field(String label, Object... attributes) {
        html.raw("<label>").text(label).raw(" ").open("input", attributes).raw("</label>");
    }
}
