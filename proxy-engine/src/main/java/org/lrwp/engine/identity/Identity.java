package org.lrwp.engine.identity;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.IdentityKey;
import org.lrwp.protocol.Names;
import org.lrwp.protocol.network.Network;

import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A peer, or several that may do the same, as the configuration knows it.
 *
 * @param name how it is called
 * @param proof what its peers prove
 * @param scope what they may register, and nothing else
 * @param networks where they may come from; empty = anywhere that peers may
 * @param maxConnections their connections at once; 0 = no limit of their own
 * @param maxCapacity requests at once on each of their connections; 0 = no limit of their own
 * @param notAfter from when on it is no longer valid; null = never
 */
public record Identity(
        String name,
        Proof proof,
        Scope scope,
        List<Network> networks,
        int maxConnections,
        int maxCapacity,
        @Nullable Instant notAfter) {
    /** What the peers of an identity prove. */
    public sealed interface Proof {
        /**
         * One of several keys, by LRWP 3.1, or a certificate, by TLS.
         *
         * @param byId the keys; more than one while they rotate
         * @param certificates each of them will do; without keys at least one
         */
        record KeyOrCertificate(
                Map<String, IdentityKey> byId, List<CertificatePattern> certificates)
                implements Proof {
            /** Copies and checks. */
            public KeyOrCertificate {
                byId = Map.copyOf(byId);
                certificates = List.copyOf(certificates);
                if (!byId.keySet().stream().allMatch(Names::isName)) {
                    throw new IllegalArgumentException("keys need ids: " + Names.ALLOWED);
                }
                if (byId.isEmpty() && certificates.isEmpty()) {
                    throw new IllegalArgumentException("neither a key nor a certificate");
                }
            }
        }

        /**
         * A secret, by the challenge of LRWP 2: whoever overhears one handshake knows it.
         *
         * @param secret the secret
         */
        record SharedSecret(Secret secret) implements Proof {
            /** Checks that it is there. */
            public SharedSecret {
                Objects.requireNonNull(secret, "secret");
            }
        }

        /** Nothing: a peer of LRWP 1 or 2 that comes from the identity's networks is believed. */
        record Address() implements Proof {}
    }

    /** Checks all values. */
    public Identity {
        Objects.requireNonNull(proof, "proof");
        Objects.requireNonNull(scope, "scope");
        networks = List.copyOf(networks);
        if (!Names.isName(name)) {
            throw new IllegalArgumentException("identity " + name + ": " + Names.ALLOWED);
        }
        if (Principal.OWN_NAMES.contains(name)) {
            throw new IllegalArgumentException("an identity cannot be called " + name);
        }
        if (proof instanceof Proof.Address && networks.isEmpty()) {
            throw new IllegalArgumentException(
                    "identity " + name + " proves nothing and has no networks");
        }
        if (maxConnections < 0 || maxCapacity < 0) {
            throw new IllegalArgumentException(
                    "maxConnections " + maxConnections + ", maxCapacity " + maxCapacity);
        }
    }

    /**
     * Says whether its peers may come from an address.
     *
     * @param address where a peer is
     * @return whether its networks contain it
     */
    public boolean mayComeFrom(InetAddress address) {
        return networks.isEmpty() || Network.anyContains(networks, address);
    }

    /**
     * Says whether it is valid.
     *
     * @param now the time of day
     * @return false from its {@link #notAfter} on
     */
    public boolean isValidAt(Instant now) {
        return notAfter == null || now.isBefore(notAfter);
    }

    /**
     * Returns one of its keys.
     *
     * @param id which
     * @return the key; null when it has none of that id
     */
    public @Nullable IdentityKey key(String id) {
        return proof instanceof Proof.KeyOrCertificate(Map<String, IdentityKey> byId, _)
                ? byId.get(id)
                : null;
    }

    /**
     * Says whether a certificate is one of its.
     *
     * @param certificate one that TLS trusts
     * @return whether a peer that shows it belongs to the identity
     */
    public boolean hasCertificate(X509Certificate certificate) {
        return proof instanceof Proof.KeyOrCertificate(_, List<CertificatePattern> certificates)
                && certificates.stream().anyMatch(pattern -> pattern.matches(certificate));
    }
}
