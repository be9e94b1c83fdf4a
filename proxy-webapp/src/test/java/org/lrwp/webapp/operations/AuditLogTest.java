package org.lrwp.webapp.operations;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.json.Json;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.engine.audit.AuditActor;
import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.engine.audit.AuditEvent.Action;
import org.lrwp.files.Rotation;
import org.lrwp.webapp.config.AuditLogConfig;
import org.lrwp.webapp.config.LogConfig;
import org.lrwp.webapp.config.LogForm;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

@Timeout(60)
class AuditLogTest {
    private static final InstantSource CLOCK =
            InstantSource.fixed(Instant.parse("2026-01-02T03:04:05Z"));
    private static final AuditEvent REFUSED =
            AuditEvent.refused(
                    Action.REGISTER,
                    AuditActor.anonymous("192.0.2.1:4711"),
                    "/x\"\nforged",
                    "ERROR: Unauthorized access");

    @TempDir private Path folder;

    private AuditLog open(Path file, boolean json) throws IOException {
        return AuditLog.start(config(file, json, 1000), CLOCK, () -> "abc123");
    }

    private static AuditLogConfig config(Path file, boolean json, int refusalsPerHour) {
        var lines =
                new LogConfig(
                        true,
                        json ? LogForm.JSON : LogForm.TEXT,
                        file,
                        new Rotation(0, false, 1),
                        100);
        return new AuditLogConfig(lines, refusalsPerHour);
    }

    private String line(boolean json, AuditEvent event) throws IOException {
        Path file = folder.resolve("audit.log");
        try (AuditLog log = open(file, json)) {
            log.record(event);
        }
        List<String> lines = Files.readAllLines(file);
        assertEquals(1, lines.size());
        return lines.getFirst();
    }

    @Test
    void aLineSaysWhoWantedWhatFromWhereAndWhatWasDecidedByWhichPolicy() throws IOException {
        assertEquals(
                "audit time=2026-01-02T03:04:05Z action=refused wanted=register verdict=refused"
                        + " identity=\"anonymous\" address=192.0.2.1:4711 certificate=-"
                        + " subject=\"/x\\x22\\x0aforged\" policy=abc123"
                        + " detail=\"ERROR: Unauthorized access\"",
                line(false, REFUSED));
    }

    @Test
    void whatWasDoneHasAWordForIt() throws IOException {
        var actor = new AuditActor("CN=billing", "192.0.2.1:4711", "sha256:ab");
        String line = line(false, AuditEvent.done(Action.PURGE, actor, "http://h/a", "answers=1"));

        assertTrue(line.contains(" action=purged wanted=purge verdict=allowed "), line);
        assertTrue(
                line.contains(
                        " identity=\"CN=billing\" address=192.0.2.1:4711"
                                + " certificate=sha256:ab "),
                line);
        assertEquals("registered", Action.REGISTER.done());
        assertEquals("drained", Action.DRAIN.done());
        assertEquals("changed", Action.CHANGE.done());
    }

    @Test
    void aLineOfJsonSaysTheSame() throws IOException {
        var json = Json.createReader(new StringReader(line(true, REFUSED))).readObject();

        assertEquals("audit", json.getString("event"));
        assertEquals("2026-01-02T03:04:05Z", json.getString("time"));
        assertEquals("refused", json.getString("action"));
        assertEquals("register", json.getString("wanted"));
        assertEquals("refused", json.getString("verdict"));
        assertEquals("anonymous", json.getString("identity"));
        assertEquals("192.0.2.1:4711", json.getString("address"));
        assertEquals("-", json.getString("certificate"));
        assertEquals("/x\\x22\\x0aforged", json.getString("subject"));
        assertEquals("abc123", json.getString("policy"));
        assertEquals("ERROR: Unauthorized access", json.getString("detail"));
        assertFalse(json.containsKey("omitted"));
    }

    @Test
    void itsFileIsForItsOwnerOnlyAndOnlyGrows() throws IOException {
        Path file = folder.resolve("audit.log");
        try (AuditLog log = open(file, false)) {
            log.record(REFUSED);
        }
        try (AuditLog log = open(file, false)) {
            log.record(REFUSED);
        }
        assertEquals(2, Files.readAllLines(file).size());
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    }

    @Test
    void refusalsHaveOnlySoManyLinesAnHourAndWhatWasDoneHasAll() throws IOException {
        Path file = folder.resolve("audit.log");
        var now = new AtomicReference<>(CLOCK.instant());
        var done = AuditEvent.done(Action.REGISTER, AuditActor.anonymous("192.0.2.1:1"), "/x", "");
        var fault = AuditEvent.refused(Action.CHANGE, AuditActor.ofProcess("proxy"), "*", "faulty");
        try (AuditLog log = AuditLog.start(config(file, false, 4), now::get, () -> "abc123")) {
            for (int i = 0; i < 10; i++) {
                log.record(REFUSED);
                log.record(done);
                log.record(fault);
            }
            now.set(now.get().plus(Duration.ofMinutes(15)));
            log.record(REFUSED);
            log.record(REFUSED);
            log.use(config(file, false, 1));
            now.set(now.get().plus(Duration.ofHours(5)));
            log.record(REFUSED);
            log.record(REFUSED);
            assertEquals(0, log.dropped());
        }
        List<String> lines = Files.readAllLines(file);
        List<String> refused =
                lines.stream()
                        .filter(line -> line.contains(" wanted=register verdict=ref"))
                        .toList();
        assertEquals(6, refused.size());
        assertTrue(refused.get(3).endsWith("\"ERROR: Unauthorized access\""), refused.get(3));
        assertTrue(refused.get(4).endsWith(" omitted=6"), refused.get(4));
        assertTrue(refused.get(5).endsWith(" omitted=1"), refused.get(5));
        assertEquals(10, lines.stream().filter(line -> line.contains("=registered ")).count());
        assertEquals(10, lines.stream().filter(line -> line.contains("\"faulty\"")).count());
    }

    @Test
    void operatorsRefusedChangeHasALineThroughAFloodOfStrangers() throws IOException {
        Path file = folder.resolve("audit.log");
        var erika = new AuditActor("erika", "192.0.2.1", "");
        try (AuditLog log = AuditLog.start(config(file, false, 1), CLOCK, () -> "abc123")) {
            for (int i = 0; i < 10; i++) {
                log.record(REFUSED);
            }
            log.record(AuditEvent.refused(Action.CHANGE, erika, "*", "bad value"));
            log.record(AuditEvent.refused(Action.REGISTER, erika, "/x", "a peer of that name"));
        }

        List<String> lines = Files.readAllLines(file);
        assertEquals(2, lines.size());
        assertTrue(lines.getLast().contains(" identity=\"erika\" "), lines.getLast());
        assertTrue(lines.getLast().endsWith("\"bad value\""), lines.getLast());
    }

    @Test
    void whatALineThatTheDiskDidNotTakeShouldHaveToldIsToldByTheNext() throws Exception {
        Path later = folder.resolve("later");
        Path file = later.resolve("audit.log");
        var now = new AtomicReference<>(CLOCK.instant());
        AuditLogConfig on = config(file, false, 1);
        var rotation = new Rotation(0, false, 1);
        var off = new AuditLogConfig(new LogConfig(false, LogForm.TEXT, file, rotation, 100), 1);
        try (AuditLog log = AuditLog.start(off, now::get, () -> "abc123")) {
            log.use(on);
            for (int i = 0; i < 3; i++) {
                log.record(REFUSED);
            }
            now.set(now.get().plus(Duration.ofHours(1)));
            log.record(REFUSED);
            while (log.dropped() < 2) {
                LockSupport.parkNanos(2_000_000);
            }
            Files.createDirectory(later);
            now.set(now.get().plus(Duration.ofHours(1)));
            log.record(REFUSED);
        }
        List<String> lines = Files.readAllLines(file);
        assertEquals(1, lines.size());
        assertTrue(lines.getFirst().endsWith(" omitted=2"), lines.getFirst());
    }

    @Test
    void aDiskThatTakesNoMoreLosesLinesThatAreCountedAndHoldsUpNobody() throws Exception {
        Path tiny = Files.createDirectory(folder.resolve("tiny"));
        Assumptions.assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=8k", "none", "" + tiny));
        try {
            Path file = tiny.resolve("audit.log");
            AuditLog full = open(file, false);
            try (full) {
                for (int i = 0; i < 90; i++) {
                    full.record(REFUSED);
                }
            }
            long dropped = full.dropped();
            assertTrue(dropped > 0, "dropped " + dropped);
            Files.delete(file);
            try (AuditLog log = open(file, false)) {
                log.record(REFUSED);
            }
            assertEquals(1, Files.readAllLines(file).size());
        } finally {
            assertTrue(run("umount", "" + tiny));
        }
    }

    private static boolean run(String... command) throws Exception {
        return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
    }
}
