package org.lrwp.engine.transport.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.testkit.wire.LogLines;
import org.lrwp.testkit.wire.TestAuthority.Issued;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.List;

/** When the files of the peers' TLS are read again, and what the log says of it. */
class TlsContextsTest {
    @TempDir private Path folder;

    @Test
    void aRenewedKeyThatOthersMayReadIsUsedOnceItsModeIsRight() throws IOException {
        var files = new TestFiles(folder);
        Issued renewed = files.authority().issue("renewed");
        try (var log = new LogLines(TlsContexts.class)) {
            var contexts =
                    new TlsContexts(
                            files.config(ClientCertificates.NONE, null), InstantSource.system());
            Path key = files.server().key();
            Files.copy(
                    renewed.certificate(),
                    files.server().certificate(),
                    StandardCopyOption.REPLACE_EXISTING);
            Files.copy(renewed.key(), key, StandardCopyOption.REPLACE_EXISTING);
            Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
            contexts.look();
            contexts.look();
            assertEquals(List.of("tls-loaded", "tls-reload-failed"), events(log));
            Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
            contexts.look();
            contexts.look();
            assertEquals(List.of("tls-loaded"), events(log));
        }
    }

    /** The first words of the lines. */
    private static List<String> events(LogLines log) {
        return log.drain().stream().map(line -> line.replaceFirst(" .*", "")).toList();
    }
}
