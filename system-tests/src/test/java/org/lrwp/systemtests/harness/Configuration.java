package org.lrwp.systemtests.harness;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Configurations of the test resources, as files that a server can read. */
public final class Configuration {
    private Configuration() {}

    /**
     * Copies a configuration, and its file of secrets if it has one, to where one server reads
     * them; {@code @FOLDER@} in it becomes the folder of both. No two servers share a file, as a
     * running server follows the changes of its own.
     *
     * @param name without ending
     * @param server the name of the server that reads it
     * @return the properties file
     */
    public static Path install(String name, String server) throws IOException {
        Path folder =
                Files.createDirectories(Project.target().resolve("server-config").resolve(server));
        String text = text(name + ".properties").replace("@FOLDER@", folder.toString());
        if (Configuration.class.getResource("/config/" + name + ".secrets") != null) {
            write(folder.resolve(name + ".secrets"), text(name + ".secrets"));
        }
        return write(
                folder.resolve(name + ".properties"),
                text
                        + "\nagent.transport = "
                        + System.getProperty("transport", "auto")
                        + "\nfront = "
                        + System.getProperty("front", "edge")
                        + "\n");
    }

    /** Writes a file that only its owner may read. */
    public static Path write(Path file, String text) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(
                file,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, text);
    }

    private static String text(String name) throws IOException {
        try (InputStream in = Configuration.class.getResourceAsStream("/config/" + name)) {
            if (in == null) {
                throw new IllegalStateException("no configuration " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
