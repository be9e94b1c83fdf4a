package org.lrwp.osp.enrolment;

import java.time.Duration;
import java.util.Objects;

/**
 * How certificates are issued.
 *
 * @param valid how long they count, more than 0
 * @param digest what is signed of them
 */
public record CertificateTerms(Duration valid, Digest digest) {
    /** What is signed of a certificate. */
    public enum Digest {
        /** SHA-256. */
        SHA256,
        /** MD5, for clients that verify nothing else. It is broken: certificates can be forged. */
        MD5
    }

    /** Checks that nothing is missing. */
    public CertificateTerms {
        Objects.requireNonNull(digest, "digest");
        if (!valid.isPositive()) {
            throw new IllegalArgumentException("certificates that never count: " + valid);
        }
    }
}
