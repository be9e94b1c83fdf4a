package org.lrwp.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The container's configuration: the resource {@code domain.xml} with the values of this start.
 *
 * <p>The container has a configuration of its own, with services that nothing here uses. Each
 * setting would be changed there by a command while the container boots, and each command costs
 * time at every start.
 *
 * @param httpThreads threads that serve HTTP requests, at least 1
 * @param http2 whether clients may speak HTTP/2
 */
record DomainFile(int httpThreads, boolean http2) {
    private static final String NAME = "domain.xml";

    /**
     * Writes it, for the container to read.
     *
     * @param folder an existing folder
     * @return the file
     * @throws IOException when it cannot be written
     */
    Path writeTo(Path folder) throws IOException {
        return Files.writeString(folder.resolve(NAME), text());
    }

    String text() {
        return template()
                .replace("{http-threads}", Integer.toString(httpThreads))
                .replace("{http2}", Boolean.toString(http2));
    }

    private static String template() {
        try (InputStream in = DomainFile.class.getResourceAsStream(NAME)) {
            if (in == null) {
                throw new IllegalStateException(NAME + " is missing in this program's jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
