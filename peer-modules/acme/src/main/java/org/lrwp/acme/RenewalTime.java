package org.lrwp.acme;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;

/**
 * When certificates are renewed.
 *
 * @param before how long before their end; a third of their life when that is shorter
 */
record RenewalTime(Duration before) {
    private static final int SHARE = 3;

    Instant of(X509Certificate certificate) {
        Instant end = certificate.getNotAfter().toInstant();
        Duration third =
                Duration.between(certificate.getNotBefore().toInstant(), end).dividedBy(SHARE);
        return end.minus(third.compareTo(before) < 0 ? third : before);
    }
}
