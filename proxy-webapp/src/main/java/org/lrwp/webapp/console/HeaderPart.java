package org.lrwp.webapp.console;

import org.jspecify.annotations.Nullable;

/** The head of the page: who sees it, and a form to log in. */
final class HeaderPart {
    private final Html html;
    private final Forms forms;

    HeaderPart(Html html, Forms forms) {
        this.html = html;
        this.forms = forms;
    }

    /**
     * Writes it.
     *
     * @param node name of this proxy in its cluster; empty for none
     * @param session null for somebody who has not logged in
     * @param certified the operator whose certificate the browser shows; empty for none
     * @param canLogIn whether there is a token at all
     */
    void write(
            String node, Sessions.@Nullable Session session, String certified, boolean canLogIn) {
        html.raw("<header><h1>LRWP proxy");
        if (!node.isEmpty()) {
            html.raw(" ").element("small", node);
        }
        html.raw("</h1><span id=\"live\" role=\"status\">Reload for news.</span>")
                .raw("<div class=\"who\">");
        if (session != null) {
            html.element("span", session.operator().identity());
            forms.open("logout", "inline");
            forms.button("Log out", "quiet");
            forms.close();
        } else if (!certified.isEmpty()) {
            html.raw("<form method=\"post\" action=\"login\" class=\"inline\">")
                    .element("button", "Log in as " + certified)
                    .close("form");
        } else if (canLogIn) {
            html.raw("<form method=\"post\" action=\"login\" class=\"inline\">")
                    .raw("<label for=\"token\">Token</label><input id=\"token\" name=\"token\"")
                    .raw(" type=\"password\" autocomplete=\"current-password\" required>")
                    .raw("<button>Log in</button></form>");
        } else {
            html.element("span", "For reading: nobody may act here.");
        }
        html.raw("</div></header>");
    }
}
