package org.lrwp.systemtests.harness;

import java.nio.file.Path;

/** Where things are. */
public final class Project {
    private Project() {}

    /** The folder with the launcher. */
    public static Path root() {
        String root = System.getProperty("project.root");
        return root == null ? Path.of("..").toAbsolutePath().normalize() : Path.of(root);
    }

    /** Where this module's files of a run go. */
    public static Path target() {
        return root().resolve("system-tests/target");
    }

    /** Sources of the peers that run as processes. */
    public static Path peers() {
        return root().resolve("system-tests/src/test/peers");
    }

    /** The virtual machine that runs the tests, a JDK 25. */
    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }
}
