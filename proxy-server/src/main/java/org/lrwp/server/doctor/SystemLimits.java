package org.lrwp.server.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What Linux lets the proxy have: open files, connections that wait, memory.
 *
 * @param proc the folder {@code /proc}
 * @param cgroups the folder {@code /sys/fs/cgroup}
 * @param mostHeap bytes that the heap of this JVM may grow to
 */
record SystemLimits(Path proc, Path cgroups, long mostHeap) implements Examination {
    /** What container and JVM have open beside connections. */
    private static final int OWN_FILES = 500;

    private static final long BACKLOG = 1024;
    private static final long MIB = 1 << 20;

    @Override
    public void look(Settings settings, Consumer<Finding> findings) {
        files(settings, findings);
        backlog(findings);
        memory(findings);
    }

    private void files(Settings settings, Consumer<Finding> findings) {
        String area = "open files";
        long needed =
                OWN_FILES
                        + settings.number("agent.max-peers")
                        + settings.number("request.max-exchanges");
        Optional<Long> limit = openFiles();
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

    private Optional<Long> openFiles() {
        try {
            for (String line : Files.readAllLines(proc.resolve("self/limits"))) {
                if (line.startsWith("Max open files")) {
                    String soft = line.substring("Max open files".length()).strip();
                    soft = soft.split("\\s+", -1)[0];
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
            findings.accept(Finding.ok("backlog", "net.core.somaxconn is " + most.get()));
        }
    }

    /** The heap and what lies beside it have to fit the cgroup, or the kernel ends the process. */
    private void memory(Consumer<Finding> findings) {
        Optional<Long> limit =
                number(cgroups.resolve("memory.max"))
                        .or(() -> number(cgroups.resolve("memory/memory.limit_in_bytes")));
        if (limit.isEmpty() || limit.get() > Long.MAX_VALUE / 2) {
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
        try {
            return Optional.of(Long.parseLong(Files.readString(file).strip()));
        } catch (IOException | NumberFormatException e) {
            return Optional.empty();
        }
    }
}
