package org.lrwp.systemtests.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Commands of docs/adapters.md as they stand there: some that prepare, one that serves, and {@code
 * curl}. What is replaced has to be there, so that the page cannot become another one unnoticed.
 */
public final class Recipe {
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w*)\n(.*?)^```$");
    private static final String CURL = "\ncurl http://127.0.0.1:1080";

    private final String text;

    private Recipe(String text) {
        this.text = text;
    }

    /** The commands among which is this one. */
    public static Recipe of(String command) throws IOException {
        return new Recipe(block("", "\n" + command));
    }

    /** The program in a language that contains a text. */
    public static Recipe program(String language, String content) throws IOException {
        return new Recipe(block(language, content));
    }

    private static String block(String language, String content) throws IOException {
        String page = Files.readString(Project.root().resolve("docs/adapters.md"));
        return BLOCK.matcher(page)
                .results()
                .filter(one -> one.group(1).equals(language))
                .map(one -> "\n" + one.group(2))
                .filter(block -> block.contains(content))
                .findFirst()
                .orElseThrow(() -> new AssertionError("docs/adapters.md has no " + content));
    }

    /** The same with another text in place of one that has to be there. */
    public Recipe with(String before, String now) {
        if (!text.contains(before)) {
            throw new AssertionError(before + " is not in " + text);
        }
        return new Recipe(text.replace(before, now));
    }

    /** The program, with the address of the proxy in place of the one that is written there. */
    public String text(Scene scene) {
        return with("127.0.0.1:1081", address(scene)).text;
    }

    private static String address(Scene scene) {
        return "127.0.0.1:" + scene.proxy().lrwpPort();
    }

    /**
     * Does what the commands say, but for downloads, and waits for a good answer to {@code curl}.
     *
     * @param folder where they are given
     * @param environment of the commands
     */
    public String follow(Scene scene, Path folder, Map<String, String> environment)
            throws Exception {
        long begin = System.nanoTime();
        int end = text.indexOf(CURL);
        if (end < 0) {
            throw new AssertionError("no curl in " + text);
        }
        List<String> commands = new ArrayList<>(text.substring(0, end).strip().lines().toList());
        commands.removeIf(line -> line.startsWith("pip ") || line.startsWith("npm "));
        String server = commands.removeLast();
        String dialling =
                server.replaceFirst("lrwp (run|connect \\w+)", "$0 --proxy " + address(scene));
        List<String> script = new ArrayList<>(List.of("set -e", "cd '" + folder + "'"));
        environment.forEach((name, value) -> script.add("export " + name + "='" + value + "'"));
        script.addAll(commands);
        script.add("exec " + dialling);
        scene.closing(ProcessPeer.start(List.of("sh", "-c", String.join("\n", script))));

        String path = text.substring(end + CURL.length()).strip();
        Wait.require("curl has an answer", LONGEST, () -> get(scene, path).status() == 200);
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        if (took.compareTo(LONGEST) > 0) {
            throw new AssertionError("from nothing to an answer it took " + took);
        }
        return get(scene, path).text();
    }

    private static HttpAnswer get(Scene scene, String path) throws IOException {
        try (RawHttp client = RawHttp.to(scene.proxy().httpPort())) {
            return client.get(path);
        }
    }
}
