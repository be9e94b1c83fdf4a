package org.lrwp.osp.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** HTTP requests of a real client, as it sent them. */
public final class Vectors {
    private Vectors() {}

    /** Returns the names of all, like {@code deb413-call/001-AuthorizationRequest}. */
    public static List<String> names() {
        try (Stream<Path> files = Files.walk(folder())) {
            return files.map(file -> folder().relativize(file).toString().replace('\\', '/'))
                    .filter(name -> name.endsWith(".req"))
                    .map(name -> name.substring(0, name.length() - ".req".length()))
                    .sorted()
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Returns the body of one. */
    public static String body(String name) {
        try {
            String request = Files.readString(folder().resolve(name + ".req"));
            int end = request.indexOf("\r\n\r\n");
            return end < 0
                    ? request.substring(request.indexOf("\n\n") + 2)
                    : request.substring(end + 4);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Returns the bytes of the body of one. */
    public static byte[] bytes(String name) {
        return body(name).getBytes(StandardCharsets.UTF_8);
    }

    private static Path folder() {
        try {
            return Path.of(Objects.requireNonNull(Vectors.class.getResource("/vectors")).toURI());
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
