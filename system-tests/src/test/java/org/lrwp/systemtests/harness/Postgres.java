package org.lrwp.systemtests.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** PostgreSQL from the distribution's package, with a database of its own in a folder. */
public final class Postgres implements AutoCloseable {
    private static final Path VERSIONS = Path.of("/usr/lib/postgresql");
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final String USER = "osp";

    private final Path programs;
    private final Path folder;
    private final int port;

    private Postgres(Path programs, Path folder, int port) {
        this.programs = programs;
        this.folder = folder;
        this.port = port;
    }

    /** Starts one; skips the test when it is not installed. */
    public static Postgres start(Path folder) throws Exception {
        Path programs = programs();
        // PostgreSQL runs under no superuser, so its own user has to reach the folder.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        Postgres postgres = new Postgres(programs, folder, FreePorts.one());
        postgres.run("initdb", "-D", postgres.database(), "-U", USER, "-A", "trust", "-N");
        postgres.restart();
        return postgres;
    }

    private static Path programs() throws IOException {
        if (Files.isDirectory(VERSIONS)) {
            try (Stream<Path> versions = Files.list(VERSIONS)) {
                var found =
                        versions.map(version -> version.resolve("bin"))
                                .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                                .findFirst();
                if (found.isPresent()) {
                    return found.get();
                }
            }
        }
        Tools.missing("skipped: PostgreSQL is not installed");
        throw new IllegalStateException("not reached");
    }

    /** The JDBC address. */
    public String address() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    /** Who connects. */
    public String user() {
        return USER;
    }

    /** kill -9 of its first process; the others end when they see that. */
    public void kill() throws Exception {
        List<String> file = Files.readAllLines(Path.of(database(), "postmaster.pid"));
        long pid = Long.parseLong(file.getFirst().strip());
        ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
        List<ProcessHandle> children = process.children().toList();
        process.destroyForcibly();
        Wait.require(
                "PostgreSQL has ended",
                LONGEST,
                () -> !process.isAlive() && children.stream().noneMatch(ProcessHandle::isAlive));
    }

    /** Starts it again; it recovers first. */
    public void restart() throws Exception {
        run(
                "pg_ctl",
                "-D",
                database(),
                "-w",
                "-l",
                folder.resolve("postgres.log").toString(),
                "-o",
                "-p " + port + " -c listen_addresses=127.0.0.1 -c unix_socket_directories=''",
                "start");
    }

    private String database() {
        return folder.resolve("database").toString();
    }

    private void run(String program, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        if ("root".equals(System.getProperty("user.name"))) {
            command.addAll(
                    List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"));
        }
        command.add(programs.resolve(program).toString());
        command.addAll(List.of(arguments));
        Tools.run(folder, LONGEST, "", command);
    }

    @Override
    public void close() throws IOException {
        if (Files.exists(Path.of(database(), "postmaster.pid"))) {
            try {
                run("pg_ctl", "-D", database(), "-m", "fast", "-w", "stop");
            } catch (InterruptedException cancelled) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
