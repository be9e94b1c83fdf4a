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

    /**
     * Says by what it is known, for status pages; never a key or a secret.
     *
     * @return for example {@code key 2026a}; empty for nothing
     */
    String proof();

    /** A peer that proves nothing; all of them are one identity. */
    record Anonymous() implements Principal {
        @Override
        public String name() {
            return ANONYMOUS;
        }

        @Override
        public String proof() {
            return "";
        }
    }

    /**
     * A peer that has proved the secret of a context.
     *
     * @param name {@code secret:} and the first context that has the secret
     * @param secret what it proved
     */
    record SecretHolder(String name, Secret secret) implements Principal {
        @Override
        public String proof() {
            return "secret";
        }
    }

    /**
     * A peer that has proved one of an identity's keys.
     *
     * @param name the identity's
     * @param keyId which key
     * @param key the key itself: another one with the same id is another key
     */
    record KeyHolder(String name, String keyId, IdentityKey key) implements Principal {
        @Override
        public String proof() {
            return "key " + keyId;
        }
    }

    /**
     * A peer that has shown a certificate of an identity, inside TLS.
     *
     * @param name the identity's
     * @param certificate what it has shown
     */
    record CertificateHolder(String name, X509Certificate certificate) implements Principal {
        @Override
        public String proof() {
            return "certificate sha256:" + CertificatePattern.fingerprint(certificate);
        }
    }

    /**
     * A peer of this host whose process belongs to a user of an identity.
     *
     * @param name the identity's
     * @param user who owns the process
     */
    record ProcessOwner(String name, String user) implements Principal {
        @Override
        public String proof() {
            return "user " + user;
        }
    }

    /**
     * A peer of LRWP 1 or 2 that is an identity by its address, or by its secret.
     *
     * @param name the identity's
     * @param asked what was asked of it
     */
    record OldPeer(String name, Identity.Proof asked) implements Principal {
        @Override
        public String proof() {
            return asked instanceof Identity.Proof.SharedSecret ? "secret" : "network";
        }
    }
}
