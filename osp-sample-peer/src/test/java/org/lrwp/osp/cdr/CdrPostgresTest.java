package org.lrwp.osp.cdr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.osp.testkit.Tokens;
import org.lrwp.osp.testkit.Usages;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Records in PostgreSQL, which is killed and comes back. */
@Timeout(240)
final class CdrPostgresTest {
    private static final Path PROGRAMS = Path.of("/usr/lib/postgresql/15/bin");
    private static final boolean IS_ROOT = "root".equals(System.getProperty("user.name"));

    @TempDir Path folder = Path.of("");

    private final BlockingQueue<String> log = new LinkedBlockingQueue<>();
    private int port;

    @BeforeEach
    void start() throws Exception {
        Assumptions.assumeTrue(
                Files.isExecutable(PROGRAMS.resolve("initdb")), "PostgreSQL is not installed");
        // PostgreSQL runs under no superuser, so its own user has to reach the folder.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        postgres("initdb", "-D", database(), "-U", "osp", "-A", "trust", "-N");
        control("start");
    }

    @AfterEach
    void stop() throws Exception {
        if (Files.exists(Path.of(database(), "postmaster.pid"))) {
            control("stop");
        }
    }

    @Test
    void recordsSurviveAKillOfTheDatabaseExactlyOnce() throws Exception {
        try (CdrStore store =
                new CdrStore(
                        folder.resolve("journal"),
                        new CdrStore.Settings(address(), 10_000_000, 1_000, Duration.ZERO),
                        Tokens.CLOCK,
                        log::add)) {
            for (int i = 0; i < 50; i++) {
                store.keep(Usages.of("a" + i, "source", "1", Tokens.NOW)).await();
            }
            kill();
            for (int i = 0; i < 50; i++) {
                store.keep(Usages.of("b" + i, "source", "1", Tokens.NOW)).await();
                store.keep(Usages.of("a" + i, "source", "1", Tokens.NOW)).await();
            }
            assertTrue(
                    String.valueOf(log.poll(60, TimeUnit.SECONDS)).startsWith("cdr-database-lost"));
            control("start");
            // What it says while it is away depends on the moment.
            String line = String.valueOf(log.poll(60, TimeUnit.SECONDS));
            while (line.startsWith("cdr-database-lost")) {
                line = String.valueOf(log.poll(60, TimeUnit.SECONDS));
            }
            assertTrue(line.startsWith("cdr-database-back"), line);
        }

        StringBuilder text = new StringBuilder();
        try (CdrDatabase database = CdrDatabase.open(address());
                Statement delete = database.connection().createStatement()) {
            // As after a crash between the two commits of a schema's change.
            delete.executeUpdate("delete from osp_schema");
            database.connection().commit();
        }
        try (CdrDatabase database = CdrDatabase.open(address())) {
            assertEquals(
                    100, CdrExport.write(database, "2000", "9999", CdrExport.Format.JSONL, text));
        }
    }

    private CdrDatabase.Address address() {
        return new CdrDatabase.Address(
                "jdbc:postgresql://127.0.0.1:" + port + "/postgres", "osp", "");
    }

    private String database() {
        return folder.resolve("database").toString();
    }

    /** Its own way of kill -9: no checkpoint, no goodbye. */
    private void kill() throws Exception {
        postgres("pg_ctl", "-D", database(), "-m", "immediate", "-w", "stop");
    }

    private void control(String what) throws Exception {
        postgres(
                "pg_ctl",
                "-D",
                database(),
                "-w",
                "-l",
                folder.resolve("postgres.log").toString(),
                "-o",
                "-p " + port + " -c listen_addresses=127.0.0.1 -c unix_socket_directories=''",
                what);
    }

    private void postgres(String program, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        if (IS_ROOT) {
            command.addAll(
                    List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"));
        }
        command.add(PROGRAMS.resolve(program).toString());
        command.addAll(List.of(arguments));
        Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(
                                ProcessBuilder.Redirect.appendTo(
                                        folder.resolve("output.txt").toFile()))
                        .start();
        if (!process.waitFor(100, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException(
                    program + " failed: " + Files.readString(folder.resolve("output.txt")));
        }
    }
}
