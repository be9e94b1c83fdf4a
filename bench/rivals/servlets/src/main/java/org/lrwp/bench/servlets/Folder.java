package org.lrwp.bench.servlets;

import jakarta.servlet.http.HttpServletRequest;

import java.nio.file.Path;

/** Where the files are: the system property {@code bench.files}. */
final class Folder {
    private Folder() {}

    static Path file(HttpServletRequest request) {
        String name = String.valueOf(request.getPathInfo());
        return Path.of(System.getProperty("bench.files", "."), name.substring(1));
    }
}
