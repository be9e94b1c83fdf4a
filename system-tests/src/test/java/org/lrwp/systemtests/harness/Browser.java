package org.lrwp.systemtests.harness;

import org.junit.jupiter.api.Assumptions;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Chromium without a screen, spoken to by its DevTools protocol. */
public final class Browser implements AutoCloseable {
    private static final String PROGRAM = "chromium";
    private static final Duration LONG = Duration.ofSeconds(30);

    private final HttpClient client = HttpClient.newHttpClient();
    private final Process process;
    private final String port;

    private Browser(Process process, String port) {
        this.process = process;
        this.port = port;
    }

    /** Starts it with a folder of its own; skips the test when it is not installed. */
    public static Browser start(Path folder) throws Exception {
        boolean there =
                List.of(String.valueOf(System.getenv("PATH")).split(":", -1)).stream()
                        .anyMatch(path -> Files.isExecutable(Path.of(path, PROGRAM)));
        if (!there) {
            System.out.println("skipped: the program " + PROGRAM + " is not installed");
        }
        Assumptions.assumeTrue(there, PROGRAM + " is not installed");
        Process process =
                new ProcessBuilder(
                                PROGRAM,
                                "--headless",
                                "--no-sandbox",
                                "--disable-gpu",
                                "--no-first-run",
                                "--window-size=900,560",
                                "--remote-debugging-port=0",
                                "--user-data-dir=" + folder)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("output.txt").toFile())
                        .start();
        Path told = folder.resolve("DevToolsActivePort");
        Wait.require("chromium listens", LONG, () -> Files.exists(told) && Files.size(told) > 3);
        return new Browser(process, Files.readAllLines(told).getFirst());
    }

    /** Opens a window with a page. */
    public Window open(String url) throws IOException, InterruptedException {
        HttpResponse<String> answer =
                client.send(
                        HttpRequest.newBuilder(
                                        URI.create("http://127.0.0.1:" + port + "/json/new?" + url))
                                .PUT(HttpRequest.BodyPublishers.noBody())
                                .timeout(LONG)
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        Matcher matcher =
                Pattern.compile("\"webSocketDebuggerUrl\": *\"([^\"]+)\"").matcher(answer.body());
        if (!matcher.find()) {
            throw new AssertionError("no window: " + answer.body());
        }
        return new Window(client, URI.create(matcher.group(1)));
    }

    @Override
    public void close() {
        // Its processes outlive it, and would write into a folder that is being deleted.
        List<ProcessHandle> all =
                Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
        process.destroy();
        CompletableFuture.allOf(
                        all.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new))
                .completeOnTimeout(null, 10, TimeUnit.SECONDS)
                .join();
        all.forEach(ProcessHandle::destroyForcibly);
        client.shutdownNow();
    }

    /** One window. */
    public static final class Window {
        private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
        private final WebSocket socket;
        private int last;

        private Window(HttpClient client, URI url) {
            socket =
                    client.newWebSocketBuilder()
                            .buildAsync(url, new Listening(answers))
                            .orTimeout(LONG.toSeconds(), TimeUnit.SECONDS)
                            .join();
        }

        /** Runs a script; what it gives, as a string in JSON. */
        public String run(String script) throws InterruptedException {
            String quoted = script.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
            return ask(
                    "Runtime.evaluate",
                    "{\"expression\":\"" + quoted + "\",\"returnByValue\":true}");
        }

        /** Changes the size of the window, and the scheme of colours that its user prefers. */
        public void look(int width, int height, String scheme) throws InterruptedException {
            ask(
                    "Emulation.setDeviceMetricsOverride",
                    "{\"width\":%d,\"height\":%d,\"deviceScaleFactor\":1,\"mobile\":false}"
                            .formatted(width, height));
            ask(
                    "Emulation.setEmulatedMedia",
                    "{\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"%s\"}]}"
                            .formatted(scheme));
        }

        /** Switches the scripts of pages on or off. */
        public void script(boolean on) throws InterruptedException {
            ask("Emulation.setScriptExecutionDisabled", "{\"value\":" + !on + "}");
        }

        /** Goes to another page. */
        public void go(String url) throws InterruptedException {
            ask("Page.navigate", "{\"url\":\"" + url + "\"}");
        }

        /** What the page does wrong to those who look at it; empty for nothing. */
        public String faults() throws IOException, InterruptedException {
            try (InputStream in = Browser.class.getResourceAsStream("page-check.js")) {
                String script = new String(in.readAllBytes(), StandardCharsets.UTF_8);
                String answer = run(script);
                if (!answer.contains("\"type\":\"string\"")) {
                    throw new AssertionError("the check did not end: " + answer);
                }
                return answer.replaceAll("(?s).*\"value\":\"(.*)\".*", "$1");
            }
        }

        /** Takes a picture. */
        public byte[] picture() throws InterruptedException {
            String answer = ask("Page.captureScreenshot", "{}");
            return Base64.getDecoder().decode(answer.replaceAll(".*\"data\":\"([^\"]+)\".*", "$1"));
        }

        private String ask(String method, String parameters) throws InterruptedException {
            last++;
            String id = "\"id\":" + last;
            socket.sendText(
                            "{"
                                    + id
                                    + ",\"method\":\""
                                    + method
                                    + "\",\"params\":"
                                    + parameters
                                    + "}",
                            true)
                    .orTimeout(LONG.toSeconds(), TimeUnit.SECONDS)
                    .join();
            String answer = "";
            while (!answer.startsWith("{" + id + ",")) {
                String next = answers.poll(LONG.toSeconds(), TimeUnit.SECONDS);
                if (next == null) {
                    throw new AssertionError("chromium does not answer to " + method);
                }
                answer = next;
            }
            return answer;
        }
    }

    /** Collects messages. */
    private record Listening(BlockingQueue<String> answers, StringBuilder message)
            implements WebSocket.Listener {
        Listening(BlockingQueue<String> answers) {
            this(answers, new StringBuilder());
        }

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean whole) {
            message.append(data);
            if (whole) {
                answers.add(message.toString());
                message.setLength(0);
            }
            return WebSocket.Listener.super.onText(from, data, whole);
        }
    }
}
