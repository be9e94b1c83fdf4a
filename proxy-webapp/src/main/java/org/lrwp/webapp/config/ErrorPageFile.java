package org.lrwp.webapp.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Which file holds a page for errors.
 *
 * @param errors a status, or 4 or 5 for all of 4xx or 5xx that have no page, or {@link #ALL}
 * @param kind what the page is
 * @param file the file
 */
record ErrorPageFile(int errors, ErrorPage.Kind kind, Path file) {
    /** In the place of a status: any error that has no page. */
    static final int ALL = 0;

    private static final int CLASS = 100;

    /** Checks that nothing is missing. */
    ErrorPageFile {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(file, "file");
    }

    /** Reads a list; an {@link IllegalArgumentException} for one that is none. */
    static List<ErrorPageFile> parse(List<String> list) {
        List<ErrorPageFile> files = new ArrayList<>();
        for (String text : list) {
            String[] words = text.strip().split("\\s+", 2);
            if (words.length < 2) {
                throw new IllegalArgumentException(text);
            }
            ErrorPage.Kind kind = ErrorPage.Kind.of(words[1]);
            if (kind == null) {
                throw new IllegalArgumentException(words[1]);
            }
            var one = new ErrorPageFile(errors(words[0]), kind, Path.of(words[1]));
            if (files.stream().anyMatch(one::isFor)) {
                throw new IllegalArgumentException(text);
            }
            files.add(one);
        }
        return List.copyOf(files);
    }

    /** Whether another page is for the same errors and clients. */
    private boolean isFor(ErrorPageFile other) {
        boolean program = kind == ErrorPage.Kind.JSON;
        return errors == other.errors && program == (other.kind == ErrorPage.Kind.JSON);
    }

    private static int errors(String word) {
        if (word.equals("all")) {
            return ALL;
        }
        if (word.matches("[45]xx")) {
            return word.charAt(0) - '0';
        }
        if (!word.matches("[45][0-9][0-9]")) {
            throw new IllegalArgumentException(word);
        }
        return Integer.parseInt(word);
    }

    /** The class of a status, as {@link #errors} has it. */
    static int classOf(int status) {
        return status / CLASS;
    }
}
