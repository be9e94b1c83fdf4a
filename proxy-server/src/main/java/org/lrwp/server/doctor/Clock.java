package org.lrwp.server.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * Whether the clock can be right: certificates, tokens and dates of answers depend on it.
 *
 * @param clock tells the time
 * @param program a file of this program, which cannot be of the future
 * @param run the folder {@code /run}
 */
record Clock(InstantSource clock, Path program, Path run) implements Examination {
    private static final String AREA = "clock";

    @Override
    public void look(Settings settings, Consumer<Finding> findings) {
        Instant now = clock.instant();
        try {
            Instant built = Files.getLastModifiedTime(program).toInstant();
            if (now.isBefore(built)) {
                findings.accept(
                        Finding.fault(
                                AREA,
                                "it says %s, but this program was built on %s: set it"
                                        .formatted(now, built)));
                return;
            }
        } catch (IOException e) {
            findings.accept(Finding.advice(AREA, "the date of " + program + ": " + e));
        }
        Path synchronization = run.resolve("systemd/timesync");
        if (Files.isDirectory(synchronization)
                && !Files.exists(synchronization.resolve("synchronized"))) {
            findings.accept(Finding.advice(AREA, now + "; systemd-timesyncd has not set it yet"));
        } else {
            findings.accept(Finding.ok(AREA, now.toString()));
        }
    }
}
