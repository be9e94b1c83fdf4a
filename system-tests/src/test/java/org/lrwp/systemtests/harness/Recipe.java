package org.lrwp.systemtests.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A block of a page as it stands there: a program, or commands, of which some prepare, one serves
 * and the last one is {@code curl}. What is replaced has to be there, so that the page cannot
 * become another one unnoticed.
 */
public final class Recipe {
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final String PROXY = "127.0.0.1:1081";
    private static final String SITE = "http://127.0.0.1:1080";

    private final String text;

    Recipe(String text) {
        this.text = text;
    }

    /** What a test adds in the manner of a page. */
    public static Recipe of(String text) {
        return new Recipe(text);
    }

    /** The same with another text in place of one that has to be there. */
    public Recipe with(String before, String now) {
        if (!text.contains(before)) {
            throw new AssertionError(before + " is not in " + text);
        }
        return new Recipe(text.replace(before, now));
    }

    /** The same with the address of this proxy in place of the one that is written there. */
    public Recipe dialling(ProxyProcess proxy) {
        return with(PROXY, "127.0.0.1:" + proxy.lrwpPort());
    }

    /** As it stands there. */
    public String text() {
        return text;
    }

    /** Does what commands that download say; skips the test when nothing can be had. */
    public void download(Path folder, Map<String, String> environment)
            throws IOException, InterruptedException {
        List<String> script = script(folder, environment);
        text.lines().filter(Recipe::downloads).forEach(script::add);
        List<String> command = List.of("sh", "-c", String.join("\n", script));
        try {
            Tools.run(Project.target(), LONGEST, "", command);
        } catch (AssertionError e) {
            Tools.missing("skipped: a library cannot be had: " + e.getMessage());
        }
    }

    private static boolean downloads(String line) {
        return line.startsWith("pip ") || line.startsWith("npm ");
    }

    /**
     * Does what the commands say, but for downloads, and waits for a good answer to {@code curl}.
     *
     * @param folder where they are given
     * @param environment of the commands
     */
    public String follow(Scene scene, Path folder, Map<String, String> environment)
            throws Exception {
        List<String> commands = new ArrayList<>(text.lines().toList());
        commands.removeIf(Recipe::downloads);
        String curl = commands.removeLast();
        if (!curl.startsWith("curl ") || !curl.contains(SITE)) {
            throw new AssertionError("no curl at the end of " + text);
        }
        List<String> script = script(folder, environment);
        String server = commands.removeLast();
        script.addAll(commands);
        script.add(launching(server, "127.0.0.1:" + scene.proxy().lrwpPort()));

        long begin = System.nanoTime();
        scene.closing(ProcessPeer.start(List.of("sh", "-c", String.join("\n", script))));
        String asking = curl.replace(SITE, "http://127.0.0.1:" + scene.proxy().httpPort());
        Wait.require("an answer to " + curl, LONGEST, () -> answer(asking).isPresent());
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        if (took.compareTo(LONGEST) > 0) {
            throw new AssertionError("from nothing to an answer it took " + took);
        }
        return answer(asking).orElseThrow();
    }

    private static List<String> script(Path folder, Map<String, String> environment) {
        List<String> script = new ArrayList<>(List.of("set -e", "cd '" + folder + "'"));
        environment.forEach((name, value) -> script.add("export " + name + "='" + value + "'"));
        return script;
    }

    /** The line that serves, dialling this proxy; its last command takes the place of the shell. */
    private static String launching(String line, String proxy) {
        String dialling =
                line.contains(PROXY)
                        ? line.replace(PROXY, proxy)
                        : line.replaceFirst("lrwp (run|connect \\w+)", "$0 --proxy " + proxy);
        int last = dialling.lastIndexOf("&& ");
        int at = last < 0 ? 0 : last + 3;
        return dialling.substring(0, at) + "exec " + dialling.substring(at);
    }

    /** What curl gets now; empty when there is nothing, or no good answer. */
    private static Optional<String> answer(String curl) throws IOException, InterruptedException {
        Path output = Files.createTempFile(Project.target(), "curl", ".txt");
        try {
            String command = curl.replaceFirst("curl ", "exec curl -sf ");
            Process process =
                    new ProcessBuilder("sh", "-c", command)
                            .redirectOutput(output.toFile())
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            if (!process.waitFor(LONGEST.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                return Optional.empty();
            }
            return process.exitValue() == 0
                    ? Optional.of(Files.readString(output))
                    : Optional.empty();
        } finally {
            Files.delete(output);
        }
    }
}
