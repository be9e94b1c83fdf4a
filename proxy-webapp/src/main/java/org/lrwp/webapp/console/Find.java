package org.lrwp.webapp.console;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What is looked for on the page: rows that have it somewhere, whatever the case of its letters.
 *
 * @param text empty for every row
 */
record Find(String text) {
    /** What a query of the URL asks for. */
    static Find of(String query) {
        return of(Form.read(query));
    }

    /** What a form asks for. */
    static Find of(Form form) {
        return new Find(form.get("find").strip());
    }

    /** The page that shows it. */
    String page() {
        return isAll() ? "./" : "./?find=" + URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    boolean isAll() {
        return text.isEmpty();
    }

    /** The rows that are wanted, by what they say. */
    <T> List<T> in(List<T> rows, Function<T, Stream<String>> said) {
        String wanted = text.toLowerCase(Locale.ROOT);
        return isAll()
                ? rows
                : rows.stream()
                        .filter(
                                row ->
                                        said.apply(row)
                                                .anyMatch(
                                                        one ->
                                                                one.toLowerCase(Locale.ROOT)
                                                                        .contains(wanted)))
                        .toList();
    }
}
