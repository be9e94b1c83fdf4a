package org.lrwp.engine.transport.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.testkit.wire.TestAuthority.Issued;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** When the files of the peers' TLS are read again, and what the log says of it. */
class TlsContextsTest {
    @TempDir private Path folder;
    private final List<String> lines = new ArrayList<>();

    private final Handler taker =
            new Handler() {
                @Override
                public void publish(LogRecord line) {
                    lines.add(line.getMessage().replaceFirst(" .*", ""));
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            };

    @Test
    void aRenewedKeyThatOthersMayReadIsUsedOnceItsModeIsRight() throws IOException {
        var files = new TestFiles(folder);
        Issued renewed = files.authority().issue("renewed");
        Logger logger = Logger.getLogger(TlsContexts.class.getName());
        logger.addHandler(taker);
        try {
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
            assertEquals(List.of("tls-loaded", "tls-reload-failed"), lines);
            Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
            contexts.look();
            contexts.look();
            assertEquals(List.of("tls-loaded", "tls-reload-failed", "tls-loaded"), lines);
        } finally {
            logger.removeHandler(taker);
        }
    }
}
