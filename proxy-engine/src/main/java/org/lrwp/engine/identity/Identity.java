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
import java.util.Set;

/**
 * A peer, or several that may do the same, as the configuration knows it.
 *
 * @param name how it is called
 * @param proof what its peers prove
 * @param scope what they may register, and nothing else
 * @param networks where they may come from; empty = anywhere that peers may
 * @param maxConnections their connections at once; 0 = no limit of their own
 * @param maxCapacity requests at once on each of their connections; 0 = no limit of their own
 * @param weight how much its connections get beside others: 0 to 1000, 100 is the usual one
 * @param notAfter from when on it is no longer valid; null = never
 */
public record Identity(
        String name,
        Proof proof,
        Scope scope,
        List<Network> networks,
        int maxConnections,
        int maxCapacity,
        int weight,
        @Nullable Instant notAfter) {
    private static final int MOST_WEIGHT = 1000;

    /** What the peers of an identity prove. */
    public sealed interface Proof {
        /**
         * One of several keys, by LRWP 3.1, a certificate, by TLS, or the owner of the process, by
         * a Unix domain socket. Any one of them will do, and there is at least one.
         *
         * @param byId the keys; more than one while they rotate
         * @param certificates of its peers
         * @param users who own the processes of its peers, by name
         */
        record Credentials(
                Map<String, IdentityKey> byId,
                List<CertificatePattern> certificates,
                Set<String> users)
                implements Proof {
            /** Copies and checks. */
            public Credentials {
                byId = Map.copyOf(byId);
                certificates = List.copyOf(certificates);
                users = Set.copyOf(users);
                if (!byId.keySet().stream().allMatch(Names::isName)) {
                    throw new IllegalArgumentException("keys need ids: " + Names.ALLOWED);
                }
                if (byId.isEmpty() && certificates.isEmpty() && users.isEmpty()) {
                    throw new IllegalArgumentException("neither a key, a certificate nor a user");
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
        if (weight < 0 || weight > MOST_WEIGHT) {
            throw new IllegalArgumentException("weight " + weight);
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
        return proof instanceof Proof.Credentials(Map<String, IdentityKey> byId, _, _)
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
        return proof instanceof Proof.Credentials(_, List<CertificatePattern> certificates, _)
                && certificates.stream().anyMatch(pattern -> pattern.matches(certificate));
    }

    /**
     * Says whether the processes of a user are its peers.
     *
     * @param user as the kernel names the owner of a process that has connected
     * @return whether a peer of this host that is theirs belongs to the identity
     */
    public boolean hasUser(String user) {
        return proof instanceof Proof.Credentials(_, _, Set<String> users) && users.contains(user);
    }
}
