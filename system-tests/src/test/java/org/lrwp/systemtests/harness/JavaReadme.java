package org.lrwp.systemtests.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The programs in the README of the Java peers. */
public final class JavaReadme {
    private static final Pattern PROGRAM = Pattern.compile("(?ms)^```java\n(.*?)^```$");

    private JavaReadme() {}

    /**
     * Starts one of them as the README says, with a JDK 17.
     *
     * @param name of its class
     * @param port of the proxy, in place of the one that is written there
     */
    public static AutoCloseable start(String name, int port) throws IOException {
        Path readme = Project.root().resolve("peers/java/README.md");
        String source =
                PROGRAM.matcher(Files.readString(readme))
                        .results()
                        .map(block -> block.group(1))
                        .filter(block -> block.contains("final class " + name + " {"))
                        .findFirst()
                        .orElseThrow();
        Path folder = Files.createTempDirectory(Project.target(), "java-readme");
        Path file = folder.resolve(name + ".java");
        Files.writeString(file, source.replace("127.0.0.1:1081", "127.0.0.1:" + port));
        List<String> command = OlderJava.java("-cp", PeerLanguage.sdk(), file.toString());
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("output.txt").toFile())
                        .start();
        return () -> process.destroyForcibly().onExit().join();
    }
}
