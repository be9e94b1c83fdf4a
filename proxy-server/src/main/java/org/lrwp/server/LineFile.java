package org.lrwp.server;

import org.lrwp.files.PrivateFile;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file of lines that a running proxy may read at any time. */
final class LineFile {
    private LineFile() {}

    /**
     * Adds lines. A file that is there keeps its mode and its owner: the proxy may be another
     * user's. One that is not there is made, mode 600.
     */
    static void append(Path file, String lines) throws IOException {
        boolean there = Files.exists(file);
        boolean torn = there && !endsWithLine(file);
        PrivateFile.checkFolder(file);
        try (OutputStream end =
                there
                        ? Files.newOutputStream(file, StandardOpenOption.APPEND)
                        : Channels.newOutputStream(PrivateFile.create(file))) {
            // In one write: a proxy that reads the file meanwhile sees all of it or nothing.
            end.write(((torn ? "\n" : "") + lines).getBytes(StandardCharsets.UTF_8));
        }
    }

    private static boolean endsWithLine(Path file) throws IOException {
        byte[] before = Files.readAllBytes(file);
        return before.length == 0 || before[before.length - 1] == '\n';
    }
}
