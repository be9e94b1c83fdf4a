package org.lrwp.engine.audit;

import java.util.Objects;

/**
 * Who did something, or wanted to.
 *
 * @param identity the name that was proved; {@link #ANONYMOUS} without a proof
 * @param address where it came from; empty for this process
 * @param certificate fingerprint of the certificate that proved the identity; empty for none
 */
public record AuditActor(String identity, String address, String certificate) {
    /** The identity of those who have proved none. */
    public static final String ANONYMOUS = "anonymous";

    /** Checks that nothing is missing. */
    public AuditActor {
        Objects.requireNonNull(identity, "identity");
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(certificate, "certificate");
    }

    /**
     * Somebody who has proved nothing.
     *
     * @param address where he is
     * @return the actor
     */
    public static AuditActor anonymous(String address) {
        return new AuditActor(ANONYMOUS, address, "");
    }

    /**
     * A part of this process.
     *
     * @param name for example {@code local:files}
     * @return the actor
     */
    public static AuditActor ofProcess(String name) {
        return new AuditActor(name, "", "");
    }
}
