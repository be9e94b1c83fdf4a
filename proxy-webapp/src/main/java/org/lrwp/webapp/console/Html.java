package org.lrwp.webapp.console;

/** Writes HTML; every text and every value of an attribute is escaped here. */
final class Html {
    private final StringBuilder out = new StringBuilder(16_384);

    /** Markup of this program's own, as it is. */
    Html raw(String markup) {
        out.append(markup);
        return this;
    }

    /** A text. */
    Html text(Object text) {
        String all = String.valueOf(text);
        for (int i = 0; i < all.length(); i++) {
            escape(all.charAt(i));
        }
        return this;
    }

    private void escape(char c) {
        switch (c) {
            case '<' -> out.append("&lt;");
            case '>' -> out.append("&gt;");
            case '&' -> out.append("&amp;");
            case '"' -> out.append("&quot;");
            case '\'' -> out.append("&#39;");
            default -> out.append(Character.isISOControl(c) ? '\uFFFD' : c);
        }
    }

    /** Begins an element: a name and pairs of attribute and value. */
    Html open(String name, Object... attributes) {
        out.append('<').append(name);
        for (int i = 0; i + 1 < attributes.length; i += 2) {
            out.append(' ').append(attributes[i]).append("=\"");
            text(attributes[i + 1]).raw("\"");
        }
        out.append('>');
        return this;
    }

    Html close(String name) {
        out.append("</").append(name).append('>');
        return this;
    }

    /** An element with a text. */
    Html element(String name, Object text, Object... attributes) {
        return open(name, attributes).text(text).close(name);
    }

    /** A cell of a table; narrow screens show the name of its column before it. */
    Html cell(String column, Object text) {
        return element("td", text, "data-label", column);
    }

    /** The same for what is compared digit by digit. */
    Html number(String column, Object text) {
        return element("td", text, "data-label", column, "class", "n");
    }

    /** The head of a table. */
    Html columns(String... names) {
        raw("<thead><tr>");
        for (String name : names) {
            element("th", name, "scope", "col");
        }
        return raw("</tr></thead>");
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
