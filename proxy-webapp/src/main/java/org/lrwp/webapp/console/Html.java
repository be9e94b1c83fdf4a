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

    /** A path or a URL: a narrow place breaks it before its marks. */
    Html path(String path) {
        for (int i = 0; i < path.length(); i++) {
            if (i > 0 && "/?&".indexOf(path.charAt(i)) >= 0) {
                out.append("<wbr>");
            }
            escape(path.charAt(i));
        }
        return this;
    }

    /** A text of the documentation, where what is between back quotes is code. */
    Html prose(String text) {
        boolean code = false;
        for (String part : text.split("`", -1)) {
            if (code) {
                element("code", part);
            } else {
                text(part);
            }
            code = !code;
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

    /** Begins a cell of a table; narrow screens show the name of its column before it. */
    Html cell(Column column) {
        return column.style().isEmpty()
                ? open("td", "data-label", column.name())
                : open("td", "data-label", column.name(), "class", column.style());
    }

    /** A cell with a text. */
    Html cell(Column column, Object text) {
        return cell(column).text(text).close("td");
    }

    /** A mark. */
    Html tag(String word, String style) {
        return element("span", word, "class", style.isEmpty() ? "tag" : "tag " + style);
    }

    /** Begins a table with its head. */
    Html table(Column... columns) {
        raw("<table><thead><tr>");
        for (Column column : columns) {
            element("th", column.name(), "scope", "col", "class", column.style());
        }
        return raw("</tr></thead><tbody>");
    }

    /** Ends a table. */
    Html endTable() {
        return raw("</tbody></table>");
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
