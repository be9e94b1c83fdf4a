package org.lrwp.systemtests.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The program in the README of the Go library, and the lines that are to be added to it. */
public final class GoReadme {
    private static final Duration LONGEST_BUILD = Duration.ofSeconds(100);
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w*)\n(.*?)^```$");
    private static final String SERVE = "\tif err := lrwp.Serve(";

    private final Path library = Project.root().resolve("peers/go");
    private final List<String> go;
    private final List<String> commands;

    private GoReadme(List<String> go, List<String> commands) {
        this.go = go;
        this.commands = commands;
    }

    /** Reads it. */
    public static GoReadme read() throws IOException {
        String text = Files.readString(Project.root().resolve("peers/go/README.md"));
        List<MatchResult> blocks = BLOCK.matcher(text).results().toList();
        return new GoReadme(
                blocks.stream().filter(b -> b.group(1).equals("go")).map(b -> b.group(2)).toList(),
                blocks.stream()
                        .filter(b -> b.group(1).isEmpty())
                        .flatMap(b -> b.group(2).lines())
                        .toList());
    }

    /**
     * Does what it says up to {@code go run}, and starts the program; with the lines that are to be
     * added the program is compiled too.
     *
     * @param port of the proxy, in place of the one that is written there
     */
    public AutoCloseable start(int port) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory(Project.target(), "go-readme");
        String program = go.getFirst();
        String main = program.replace("127.0.0.1:1081", "127.0.0.1:" + port);
        Files.writeString(folder.resolve("main.go"), main);
        run(folder, "cp -r " + library + " lrwp");
        for (String command : commands) {
            if (command.startsWith("go mod ")) {
                run(folder, command);
            }
        }
        run(folder, "go build -o program .");
        String added = String.join("", go.subList(1, go.size()));
        Files.writeString(folder.resolve("main.go"), program.replace(SERVE, added + SERVE));
        run(folder, "go build -o more .");
        Process process = new ProcessBuilder(folder.resolve("program").toString()).start();
        return () -> process.destroyForcibly().onExit().join();
    }

    private static void run(Path folder, String command) throws IOException, InterruptedException {
        Tools.run(folder, LONGEST_BUILD, "", List.of("sh", "-c", command));
    }
}
