package org.lrwp.server.doctor;

import org.jspecify.annotations.Nullable;
import org.lrwp.files.FileFault;
import org.lrwp.sdk.tls.PemFile;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Whether certificates and lists of revoked ones are in force, and keys are secret.
 *
 * @param clock tells the time
 */
record Certificates(InstantSource clock) implements Examination {
    private static final String AREA = "certificates";
    private static final Duration SOON = Duration.ofDays(14);
    private static final Set<PosixFilePermission> OTHERS =
            Set.of(PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE);

    @Override
    public void look(Settings settings, Consumer<Finding> findings) {
        certificate("https.certificate", made(settings, "https.certificate"), findings);
        key("https.key", made(settings, "https.key"), findings);
        certificate("agent.tls.certificate", settings.path("agent.tls.certificate"), findings);
        key("agent.tls.key", settings.path("agent.tls.key"), findings);
        certificate("cluster.tls.certificate", settings.path("cluster.tls.certificate"), findings);
        key("cluster.tls.key", settings.path("cluster.tls.key"), findings);
        for (String key : List.of("https.trust", "agent.tls.trust", "cluster.tls.trust")) {
            trust(key, settings.path(key), findings);
        }
        for (String key : List.of("https.revoked", "agent.tls.revoked")) {
            revoked(key, settings.path(key), findings);
        }
    }

    /** The ACME module may have yet to make the file. */
    private static @Nullable Path made(Settings settings, String key) {
        Path file = settings.path(key);
        if (file == null || settings.text("https.challenges").isEmpty() || Files.exists(file)) {
            return file;
        }
        return null;
    }

    /** The authorities of a file; of several one may have ended while the others do. */
    private void trust(String key, @Nullable Path file, Consumer<Finding> findings) {
        if (file == null) {
            return;
        }
        String what = key + ": " + file;
        try (InputStream in = Files.newInputStream(file)) {
            List<X509Certificate> all =
                    CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
                            .map(X509Certificate.class::cast)
                            .sorted(Comparator.comparing(X509Certificate::getNotAfter))
                            .toList();
            if (all.isEmpty()) {
                findings.accept(Finding.fault(AREA, what + " holds no certificate"));
            } else if (all.size() == 1) {
                findings.accept(judged(what, all.getFirst()));
            } else {
                findings.accept(judged(what, all));
            }
        } catch (IOException e) {
            findings.accept(unreadable(what, e));
        } catch (CertificateException e) {
            findings.accept(Finding.fault(AREA, what + " cannot be read: " + e.getMessage()));
        }
    }

    private Finding judged(String what, List<X509Certificate> all) {
        for (X509Certificate one : all) {
            String subject = one.getSubjectX500Principal().getName();
            Finding found = judged(what + ", " + subject, one);
            if (found.verdict() != Finding.Verdict.OK) {
                return Finding.advice(AREA, found.sentence());
            }
        }
        return Finding.ok(
                AREA,
                "%s: all %d are in force until %s"
                        .formatted(what, all.size(), all.getFirst().getNotAfter().toInstant()));
    }

    /** With a list that has ended, nobody comes in whose certificate its authority has issued. */
    private void revoked(String key, @Nullable Path file, Consumer<Finding> findings) {
        if (file == null) {
            return;
        }
        String what = key + ": " + file;
        try {
            for (X509CRL list : PemFile.revoked(file)) {
                findings.accept(judged(what, list));
            }
        } catch (IOException e) {
            findings.accept(unreadable(what, e));
        }
    }

    private Finding judged(String what, X509CRL list) {
        String of = what + " of " + list.getIssuerX500Principal().getName();
        Date next = list.getNextUpdate();
        if (next == null) {
            return Finding.ok(AREA, of + " has no end");
        }
        return clock.instant().isAfter(next.toInstant())
                ? Finding.fault(
                        AREA,
                        "%s has ended on %s: get a new one; until then all certificates of that authority are refused"
                                .formatted(of, next.toInstant()))
                : Finding.ok(AREA, of + " is in force until " + next.toInstant());
    }

    private void certificate(String key, @Nullable Path file, Consumer<Finding> findings) {
        if (file == null) {
            return;
        }
        String what = key + ": " + file;
        try {
            // As the proxy reads it: the key may stand in the same file, before it or behind it.
            findings.accept(judged(what, PemFile.certificates(file).getFirst()));
        } catch (IOException e) {
            findings.accept(unreadable(what, e));
        }
    }

    private static Finding unreadable(String what, IOException why) {
        return Finding.fault(AREA, what + " cannot be read: " + FileFault.reason(why));
    }

    private Finding judged(String what, X509Certificate certificate) {
        Instant now = clock.instant();
        Instant end = certificate.getNotAfter().toInstant();
        if (now.isAfter(end)) {
            return Finding.fault(AREA, what + " has ended on " + end + ": renew it");
        }
        if (now.isBefore(certificate.getNotBefore().toInstant())) {
            return Finding.fault(
                    AREA,
                    "%s begins on %s only: look at the clock"
                            .formatted(what, certificate.getNotBefore().toInstant()));
        }
        return now.plus(SOON).isAfter(end)
                ? Finding.advice(AREA, what + " ends on " + end + ": renew it")
                : Finding.ok(AREA, what + " is in force until " + end);
    }

    private static void key(String key, @Nullable Path file, Consumer<Finding> findings) {
        if (file == null) {
            return;
        }
        try {
            Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
            if (mode.stream().anyMatch(OTHERS::contains)) {
                findings.accept(
                        Finding.fault(
                                AREA, key + ": others may read " + file + ": chmod 600 " + file));
            }
        } catch (IOException e) {
            findings.accept(unreadable(key + ": " + file, e));
        } catch (UnsupportedOperationException e) {
            findings.accept(Finding.fault(AREA, key + ": " + file + " cannot be read"));
        }
    }
}
