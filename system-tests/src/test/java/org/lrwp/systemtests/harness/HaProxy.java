package org.lrwp.systemtests.harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * HAProxy as docs/cluster.md has it, in front of two nodes, on ports of 127.0.0.1. It looks at them
 * more often, so that tests are short.
 */
public final class HaProxy implements AutoCloseable {
    private final Process process;
    private final int port;
    private final int statisticsPort;

    private HaProxy(Process process, int port, int statisticsPort) {
        this.process = process;
        this.port = port;
        this.statisticsPort = statisticsPort;
    }

    /** Starts it and waits until it serves; skipped without it. */
    public static HaProxy start(Path folder, ClusterNode a, ClusterNode b) throws Exception {
        Tools.require("haproxy");
        List<Integer> ports = FreePorts.several(2);
        String text =
                documented()
                        .replace("bind :80", "bind 127.0.0.1:" + ports.get(0))
                        .replace("10.0.0.11:1080", "127.0.0.1:" + a.proxy().httpPort())
                        .replace("10.0.0.12:1080", "127.0.0.1:" + b.proxy().httpPort())
                        .replace("inter 1s", "inter 100ms");
        String statistics =
                """

                listen statistics
                    bind 127.0.0.1:%d
                    stats enable
                    stats uri /
                """
                        .formatted(ports.get(1));
        Path file = Files.writeString(folder.resolve("haproxy.cfg"), text + statistics);
        Process process =
                new ProcessBuilder("haproxy", "-db", "-f", file.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(Project.target().resolve("haproxy.log").toFile())
                        .start();
        var started = new HaProxy(process, ports.get(0), ports.get(1));
        Wait.require("HAProxy serves", Duration.ofSeconds(10), () -> started.answers());
        return started;
    }

    private static String documented() throws IOException {
        String page = Files.readString(Project.root().resolve("docs/cluster.md"));
        int begin = page.indexOf("```\ndefaults\n") + "```\n".length();
        return page.substring(begin, page.indexOf("```", begin));
    }

    private boolean answers() {
        try {
            return sendsTo("a") || sendsTo("b");
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Where clients come. */
    public int port() {
        return port;
    }

    /** Whether it takes a node for ready. */
    public boolean sendsTo(String node) throws IOException {
        try (RawHttp client = RawHttp.to(statisticsPort)) {
            String table = new String(client.get("/;csv").body(), StandardCharsets.US_ASCII);
            int state = Arrays.asList(table.split("\n", 2)[0].split(",", -1)).indexOf("status");
            return table.lines()
                    .filter(line -> line.startsWith("proxies," + node + ","))
                    .anyMatch(line -> line.split(",", -1)[state].startsWith("UP"));
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
