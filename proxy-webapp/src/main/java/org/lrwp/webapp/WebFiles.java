package org.lrwp.webapp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the web application of a server of its own has besides the proxy, so that the container need
 * not be asked for what is not there. Any thread; never blocks.
 *
 * @param names of the files and folders at its root, as they were at the start
 */
record WebFiles(Set<String> names) implements Predicate<String> {
    private static final int LAST_PLAIN = '~';

    /** Nobody gets anything of these. */
    private static final Set<String> HIDDEN = Set.of("WEB-INF", "META-INF");

    /** Copies the names. */
    WebFiles {
        names = Set.copyOf(names);
    }

    /**
     * Looks at a folder.
     *
     * @param application the web application's
     * @throws IOException when it cannot be read
     */
    static WebFiles of(Path application) throws IOException {
        try (Stream<Path> files = Files.list(application)) {
            return new WebFiles(
                    files.map(file -> file.getFileName().toString())
                            .filter(name -> !HIDDEN.contains(name))
                            .collect(Collectors.toSet()));
        }
    }

    /**
     * Says whether the container may have something. What it may read in another way than this is
     * left to it.
     *
     * @param path decoded, one byte per character, below the application's root
     * @return false when there is nothing
     */
    @Override
    public boolean test(String path) {
        if (!path.startsWith("/") || !isPlain(path)) {
            return true;
        }
        int end = path.indexOf('/', 1);
        String first = path.substring(1, end < 0 ? path.length() : end);
        return first.isEmpty() || names.contains(first);
    }

    private static boolean isPlain(String path) {
        for (int i = 0; i < path.length(); i++) {
            char one = path.charAt(i);
            if (one <= ' ' || one > LAST_PLAIN || one == ';' || one == '\\' || one == '%') {
                return false;
            }
        }
        return true;
    }
}
