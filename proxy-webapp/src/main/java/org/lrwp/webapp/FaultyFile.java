package org.lrwp.webapp;

import org.jspecify.annotations.Nullable;
import org.lrwp.files.FileFault;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Says which key of the configuration names the file that a fault is about. Any thread. */
final class FaultyFile {
    private FaultyFile() {}

    /**
     * Looks for the file that a fault begins with.
     *
     * @param why what reading one of them has met
     * @param files by key; null where none is named
     * @return such as {@code https.key = /etc/key: permission denied}; empty when it is about none
     *     of them
     */
    static Optional<String> told(IOException why, Map<String, @Nullable Path> files) {
        String fault = FileFault.of(why);
        return files.entrySet().stream()
                .filter(one -> isAbout(fault, one.getValue()))
                .findFirst()
                .map(one -> one.getKey() + " = " + fault);
    }

    private static boolean isAbout(String fault, @Nullable Path file) {
        return file != null && (fault.startsWith(file + ":") || fault.startsWith(file + " "));
    }
}
