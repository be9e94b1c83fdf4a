package org.lrwp.acme;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

class CertificateFolderTest {
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration LIFE = Duration.ofDays(90);

    @TempDir private Path parent;
    private Path path;

    @BeforeEach
    void path() {
        path = parent.resolve("acme");
    }

    private static CertifiedKey pair() throws Exception {
        return TestCertificates.pair(BEGIN, LIFE, "a.test");
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void onlyTheOwnerMayReadWhatIsKept() throws Exception {
        CertificateFolder folder = CertificateFolder.open(path);
        folder.account();
        folder.install(pair());
        folder.addChallenge("a.test", pair());

        assertEquals("rwx------", mode(path));
        assertEquals("rwx------", mode(path.resolve("challenges")));
        try (Stream<Path> files = Files.walk(path).filter(Files::isRegularFile)) {
            List<Path> all = files.toList();
            assertEquals(4, all.size(), all.toString());
            for (Path file : all) {
                assertEquals("rw-------", mode(file), file.toString());
            }
        }
    }

    @Test
    void pairComesBackWithItsWholeChainLeafFirst() throws Exception {
        CertifiedKey pair = pair();
        CertificateFolder.open(path).install(pair);

        CertifiedKey back = CertificateFolder.open(path).pair();
        assertNotNull(back);
        assertEquals(pair.chain(), back.chain());
        assertEquals(pair.key(), back.key());
        assertTrue(Files.readString(path.resolve("key.pem")).startsWith("-----BEGIN PRIVATE KEY-"));
    }

    @Test
    void emptyFolderHasNoPair() throws Exception {
        assertNull(CertificateFolder.open(path).pair());
    }

    @Test
    void accountStaysTheSame() throws Exception {
        byte[] first = CertificateFolder.open(path).account().getPublic().getEncoded();
        byte[] second = CertificateFolder.open(path).account().getPublic().getEncoded();

        assertArrayEquals(first, second);
    }

    @Test
    void accountWhoseKeysDoNotBelongTogetherIsAFault() throws Exception {
        CertificateFolder folder = CertificateFolder.open(path);
        folder.account();
        KeyPair wrong =
                new KeyPair(
                        CertifiedKey.newKeys().getPublic(), CertifiedKey.newKeys().getPrivate());
        Files.writeString(path.resolve("account.pem"), Pem.of(wrong));

        assertThrows(IOException.class, folder::account);
        Files.writeString(path.resolve("account.pem"), Pem.of(wrong.getPrivate()));
        assertThrows(IOException.class, folder::account);
    }

    @Test
    void secondRenameThatAnEarlierProcessDidNotReachIsDone() throws Exception {
        CertifiedKey next = pair();
        CertificateFolder.open(path).install(pair());
        Files.writeString(path.resolve("certificate.pem.new"), Pem.of(next.chain()));
        Files.writeString(path.resolve("key.pem"), Pem.of(next.key()));

        CertifiedKey found = CertificateFolder.open(path).pair();

        assertNotNull(found);
        assertEquals(next.chain(), found.chain());
        assertFalse(Files.exists(path.resolve("certificate.pem.new")));
    }

    @Test
    void newFilesThatWereNotRenamedAtAllAreRemovedAndTheOldPairStays() throws Exception {
        CertifiedKey old = pair();
        CertifiedKey next = pair();
        CertificateFolder.open(path).install(old);
        Files.writeString(path.resolve("certificate.pem.new"), Pem.of(next.chain()));
        Files.writeString(path.resolve("key.pem.new"), Pem.of(next.key()));

        CertifiedKey found = CertificateFolder.open(path).pair();

        assertNotNull(found);
        assertEquals(old.chain(), found.chain());
        assertFalse(Files.exists(path.resolve("key.pem.new")));
        assertFalse(Files.exists(path.resolve("certificate.pem.new")));
    }

    @Test
    void newCertificateThatDoesNotFitTheKeyIsRemoved() throws Exception {
        CertifiedKey old = pair();
        CertificateFolder.open(path).install(old);
        Files.writeString(path.resolve("certificate.pem.new"), Pem.of(pair().chain()));

        CertifiedKey found = CertificateFolder.open(path).pair();

        assertNotNull(found);
        assertEquals(old.chain(), found.chain());
        assertFalse(Files.exists(path.resolve("certificate.pem.new")));
    }

    @Test
    void challengesOfAnEarlierProcessAreRemoved() throws Exception {
        CertificateFolder.open(path).addChallenge("a.test", pair());
        Files.writeString(path.resolve("challenges/b.test.pem.new"), "half");

        CertificateFolder.open(path);

        try (Stream<Path> files = Files.list(path.resolve("challenges"))) {
            assertEquals(0, files.count());
        }
    }

    @Test
    void wrongPairIsAFault() throws Exception {
        CertificateFolder folder = CertificateFolder.open(path);
        folder.install(pair());
        Files.writeString(path.resolve("key.pem"), Pem.of(pair().key()));

        var e = assertThrows(IOException.class, folder::pair);
        assertEquals("key and certificate do not belong together", e.getMessage());
    }

    @Test
    void damagedFilesAreFaultsThatDoNotShowTheKey() throws Exception {
        CertificateFolder folder = CertificateFolder.open(path);
        folder.install(pair());
        String key = Files.readString(path.resolve("key.pem"));
        String body = key.lines().skip(1).findFirst().orElse("");

        Files.writeString(path.resolve("key.pem"), key.replace(body, "A" + body.substring(1)));
        var damaged = assertThrows(IOException.class, folder::pair);
        assertFalse(damaged.toString().contains(body.substring(1)), damaged.toString());
        assertNull(damaged.getCause());
        Files.writeString(path.resolve("key.pem"), "");
        assertThrows(IOException.class, folder::pair);
        Files.writeString(path.resolve("key.pem"), key);
        Files.writeString(path.resolve("certificate.pem"), "no certificate");
        assertThrows(IOException.class, folder::pair);
        Files.writeString(
                path.resolve("certificate.pem"),
                "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
        assertThrows(IOException.class, folder::pair);
    }

    @Test
    void textOfAPairDoesNotShowTheKey() throws Exception {
        assertTrue(pair().toString().matches("CertifiedKey\\[[0-9a-f]+]"));
    }
}
