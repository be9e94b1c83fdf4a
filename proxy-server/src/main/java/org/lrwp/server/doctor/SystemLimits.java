package org.lrwp.server.doctor;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What Linux lets the proxy have: open files, threads, processors, connections that wait, memory.
 *
 * @param proc the folder {@code /proc}
 * @param cgroups the limits of the control groups
 * @param mostHeap bytes that the heap of this JVM may grow to
 * @param processors how many this JVM uses
 */
record SystemLimits(Path proc, ControlGroups cgroups, long mostHeap, int processors)
        implements Examination {
    /** What container and JVM have open beside connections. */
    private static final int OWN_FILES = 500;

    /** Threads of container, JVM and proxy under load, rounded up; they depend on no peer. */
    private static final int OWN_THREADS = 300;

    private static final long BACKLOG = 1024;
    private static final long MIB = 1 << 20;
    private static final int LONGEST_NUMBER = 64;

    @Override
    public void look(Settings settings, Consumer<Finding> findings) {
        files(settings, findings);
        threads(findings);
        findings.accept(
                Finding.ok(
                        "processors",
                        processors
                                + ", as cgroup and affinity allow; as many selector threads serve"
                                + " clients and peers"));
        backlog(findings);
        memory(findings);
    }

    private void files(Settings settings, Consumer<Finding> findings) {
        String area = "open files";
        long needed =
                OWN_FILES
                        + settings.number("agent.max-peers")
                        + settings.number("request.max-exchanges");
        Optional<Long> limit = own("Max open files");
        if (limit.isEmpty()) {
            findings.accept(Finding.advice(area, "the limit cannot be read here"));
        } else if (limit.get() < needed) {
            findings.accept(
                    Finding.advice(
                            area,
                            "%d may be open, %d may be needed: raise it (LimitNOFILE=, ulimit -n), or lower agent.max-peers and request.max-exchanges"
                                    .formatted(limit.get(), needed)));
        } else {
            findings.accept(
                    Finding.ok(area, limit.get() + " may be open, " + needed + " may be needed"));
        }
    }

    /** Of this user (ulimit -u) and of the control group: the lower one counts. */
    private void threads(Consumer<Finding> findings) {
        String area = "threads";
        long limit =
                Math.min(
                        own("Max processes").orElse(Long.MAX_VALUE),
                        cgroups.threads().orElse(Long.MAX_VALUE));
        if (limit < OWN_THREADS) {
            findings.accept(
                    Finding.advice(
                            area,
                            "%d may run, %d may be needed: raise it (TasksMax=, LimitNPROC=, ulimit -u, --pids-limit)"
                                    .formatted(limit, OWN_THREADS)));
        } else {
            findings.accept(
                    Finding.ok(
                            area,
                            (limit == Long.MAX_VALUE ? "any number" : "" + limit) + " may run"));
        }
    }

    /** A limit of this process, the soft one; the largest number for one that is unlimited. */
    private Optional<Long> own(String name) {
        try {
            for (String line : Files.readAllLines(proc.resolve("self/limits"))) {
                if (line.startsWith(name)) {
                    String soft = line.substring(name.length()).strip().split("\\s+", -1)[0];
                    return Optional.of(
                            soft.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(soft));
                }
            }
            return Optional.empty();
        } catch (IOException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    private void backlog(Consumer<Finding> findings) {
        Optional<Long> most = number(proc.resolve("sys/net/core/somaxconn"));
        if (most.isPresent() && most.get() < BACKLOG) {
            findings.accept(
                    Finding.advice(
                            "backlog",
                            "net.core.somaxconn is %d: a burst of clients above it waits seconds; sysctl -w net.core.somaxconn=4096"
                                    .formatted(most.get())));
        } else if (most.isPresent()) {
            String handshakes =
                    number(proc.resolve("sys/net/ipv4/tcp_max_syn_backlog"))
                            .map(value -> ", net.ipv4.tcp_max_syn_backlog " + value)
                            .orElse("");
            findings.accept(
                    Finding.ok("backlog", "net.core.somaxconn is " + most.get() + handshakes));
        }
    }

    /** The heap and what lies beside it have to fit the cgroup, or the kernel ends the process. */
    private void memory(Consumer<Finding> findings) {
        Optional<Long> limit = cgroups.memory();
        if (limit.isEmpty()) {
            findings.accept(
                    Finding.ok("memory", "no cgroup limit; the heap may have " + mib(mostHeap)));
        } else if (mostHeap > limit.get() / 4 * 3) {
            findings.accept(
                    Finding.advice(
                            "memory",
                            "the heap may have %s of the cgroup's %s, and as much as 200 MiB lie beside it: set -Xmx in LRWP_JAVA_OPTS"
                                    .formatted(mib(mostHeap), mib(limit.get()))));
        } else {
            findings.accept(
                    Finding.ok(
                            "memory",
                            "the heap may have " + mib(mostHeap) + " of " + mib(limit.get())));
        }
    }

    private static String mib(long bytes) {
        return bytes / MIB + " MiB";
    }

    private static Optional<Long> number(Path file) {
        // In one read: in /proc/sys only the first has an answer, and that of Files.readString is
        // one byte long for a file of no size.
        byte[] text = new byte[LONGEST_NUMBER];
        try (InputStream in = Files.newInputStream(file)) {
            int length = Math.max(0, in.read(text));
            return Optional.of(
                    Long.parseLong(new String(text, 0, length, StandardCharsets.US_ASCII).strip()));
        } catch (IOException | NumberFormatException e) {
            return Optional.empty();
        }
    }
}
