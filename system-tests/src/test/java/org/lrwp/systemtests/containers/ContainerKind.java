package org.lrwp.systemtests.containers;

import org.lrwp.systemtests.harness.Project;

import java.io.File;
import java.nio.file.Path;

/** The containers that are tried. */
enum ContainerKind {
    TOMCAT("tomcat", "TomcatServer"),
    JETTY("jetty", "JettyServer");

    private final String folder;
    private final String program;

    ContainerKind(String folder, String program) {
        this.folder = folder;
        this.program = program;
    }

    /** Its own jars, and the program that starts it. */
    String classPath() {
        Path jars = Project.built().resolve("containers").resolve(folder);
        return Project.built().resolve("test-classes") + File.pathSeparator + jars + "/*";
    }

    /** The class to run. */
    String program() {
        return ContainerKind.class.getPackageName() + "." + program;
    }
}
