package org.lrwp.server;

import org.lrwp.files.PrivateFile;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file of lines that a running proxy may read at any time. */
final class LineFile {
    private LineFile() {}

    /** Adds lines; a file that is not there is made, mode 600. */
    static void append(Path file, String lines) throws IOException {
        boolean torn = Files.exists(file) && !endsWithLine(file);
        try (OutputStream end = PrivateFile.append(file)) {
            // In one write: a proxy that reads the file meanwhile sees all of it or nothing.
            end.write(((torn ? "\n" : "") + lines).getBytes(StandardCharsets.UTF_8));
        }
    }

    private static boolean endsWithLine(Path file) throws IOException {
        byte[] before = Files.readAllBytes(file);
        return before.length == 0 || before[before.length - 1] == '\n';
    }
}
