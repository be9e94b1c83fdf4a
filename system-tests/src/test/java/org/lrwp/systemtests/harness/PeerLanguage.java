package org.lrwp.systemtests.harness;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The languages that have a peer in the folder {@code peers}, each with the same examples. */
public enum PeerLanguage {
    /** In C, compiled by the machine's compiler. */
    C("cc"),
    /** In Python. */
    PYTHON("python3"),
    /** In JavaScript, for Node. */
    JAVASCRIPT("node"),
    /** In Go. */
    GO("go"),
    /** In Java, with the SDK. */
    JAVA("");

    private static final List<String> EXAMPLES =
            List.of("echo", "post", "events", "slow", "drain", "fail", "conformance");
    private static final Duration LONGEST_BUILD = Duration.ofSeconds(100);
    private static final Set<PeerLanguage> BUILT = new HashSet<>();
    private static final Set<String> COMPILED = new HashSet<>();

    private final String tool;

    PeerLanguage(String tool) {
        this.tool = tool;
    }

    /** What the echo example calls itself in X-Peer. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether the machine has what the examples need. */
    public boolean isThere() {
        return tool.isEmpty() || Tools.isThere(tool);
    }

    /** Skips the test when what the examples need is missing; builds them when they have to be. */
    public void prepare() throws IOException, InterruptedException {
        if (!tool.isEmpty()) {
            Tools.require(tool);
        }
        if (this == C) {
            Tools.require("make");
        }
        synchronized (BUILT) {
            if (BUILT.add(this)) {
                build();
            }
        }
    }

    /** Skips the test when the examples cannot dial inside TLS on this machine. */
    public void prepareTls() throws IOException, InterruptedException {
        if (this == C) {
            Tools.requireOpenSsl();
        }
    }

    private Path folder() {
        return Project.root().resolve("peers").resolve(label());
    }

    private Path built(String example) throws IOException {
        Path folder = Project.target().resolve("peers").resolve(label());
        return Files.createDirectories(folder).resolve(example);
    }

    private void build() throws IOException, InterruptedException {
        if (this == C) {
            Tools.run(
                    Project.target(),
                    LONGEST_BUILD,
                    "",
                    List.of("make", "-s", "-j2", "-C", folder().toString(), "BUILD=" + built("")));
        } else if (this == GO) {
            List<String> command = new ArrayList<>(List.of("sh", "-c"));
            command.add("cd \"$0\" && exec go build -o \"$@\"");
            command.addAll(List.of(folder().toString(), built("") + File.separator));
            EXAMPLES.forEach(example -> command.add("./examples/" + example));
            command.add("./examples/http");
            Tools.run(Project.target(), LONGEST_BUILD, "", command);
        }
    }

    /** How one of the examples is started. */
    List<String> command(String example) throws IOException {
        Path examples = folder().resolve("examples");
        return switch (this) {
            case C, GO -> List.of(built(example).toString());
            case PYTHON -> List.of("python3", examples.resolve(example + ".py").toString());
            case JAVASCRIPT -> List.of("node", examples.resolve(example + ".mjs").toString());
            case JAVA -> Project.java("-cp", sdk(), examples + javaSource(example));
        };
    }

    /**
     * How the test peer of peers/conformance is started, often: so in Java it is compiled before.
     */
    public List<String> conformance() throws IOException, InterruptedException {
        if (this != JAVA) {
            return command("conformance");
        }
        return Project.java(
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                compiledConformance(),
                "Conformance");
    }

    /** How the same in Java is started with a JDK 17. */
    public static List<String> conformanceOnJava17() throws IOException, InterruptedException {
        return OlderJava.java("-cp", JAVA.compiledConformance(), "Conformance");
    }

    /** Compiles it for Java 17, and returns its class path. */
    private String compiledConformance() throws IOException, InterruptedException {
        Path classes = built("conformance");
        synchronized (COMPILED) {
            if (COMPILED.add("conformance")) {
                Path examples = folder().resolve("examples");
                List<String> compiler = new ArrayList<>();
                compiler.add(Path.of(System.getProperty("java.home"), "bin", "javac").toString());
                compiler.addAll(List.of("--release", "17", "-d", classes.toString()));
                compiler.addAll(List.of("-cp", sdk()));
                compiler.add(examples + "/Conformance.java");
                compiler.add(examples + "/Options.java");
                Tools.run(Project.target(), LONGEST_BUILD, "", compiler);
            }
        }
        return classes + File.pathSeparator + sdk();
    }

    private static String javaSource(String example) {
        return "/"
                + example.substring(0, 1).toUpperCase(Locale.ROOT)
                + example.substring(1)
                + ".java";
    }

    static String sdk() {
        return Project.root().resolve("lrwp-peer-sdk/target/classes")
                + File.pathSeparator
                + Project.root().resolve("lrwp-protocol/target/classes");
    }
}
