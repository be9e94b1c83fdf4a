package org.lrwp.engine.identity;

import org.lrwp.protocol.IdentityKey;

import java.security.cert.X509Certificate;
import java.util.Set;

/** Who a connection belongs to, and by what that is known. */
public sealed interface Principal {
    /** The name of all peers that prove nothing. */
    String ANONYMOUS = "anonymous";

    /** Whose the contexts of modules inside the proxy are. */
    String MODULES = "module";

    /** Names that no identity of the configuration may have. */
    Set<String> OWN_NAMES = Set.of(ANONYMOUS, MODULES);

    /**
     * Returns the name of the identity, for logs, status and ownership.
     *
     * @return of this very spelling for all its connections
     */
    String name();

    /** A peer that proves nothing; all of them are one identity. */
    record Anonymous() implements Principal {
        @Override
        public String name() {
            return ANONYMOUS;
        }
    }

    /**
     * A peer that has proved the secret of a context.
     *
     * @param name {@code secret:} and the first context that has the secret
     * @param secret what it proved
     */
    record SecretHolder(String name, Secret secret) implements Principal {}

    /**
     * A peer that has proved one of an identity's keys.
     *
     * @param name the identity's
     * @param keyId which key
     * @param key the key itself: another one with the same id is another key
     */
    record KeyHolder(String name, String keyId, IdentityKey key) implements Principal {}

    /**
     * A peer that has shown a certificate of an identity, inside TLS.
     *
     * @param name the identity's
     * @param certificate what it has shown
     */
    record CertificateHolder(String name, X509Certificate certificate) implements Principal {}

    /**
     * A peer of LRWP 1 or 2 that is an identity by its address, or by its secret.
     *
     * @param name the identity's
     * @param proof what was asked of it
     */
    record OldPeer(String name, Identity.Proof proof) implements Principal {}
}
