package org.lrwp.engine.identity;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.IdentityKey;
import org.lrwp.protocol.Refusal;

import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Who may register what: docs/protocol.md sections 3 and 17. Immutable; a change makes another one.
 *
 * <p>Purpose: what belongs to one identity no other one gets. Design: whose a context is follows
 * from the configuration alone, so that it does not depend on who comes first. What it gives to
 * nobody belongs to the peers without identity, when there may be any; they are one identity.
 *
 * @param required whether peers without identity are refused
 * @param least the oldest version that peers may speak
 * @param allowed contexts that may be registered by anybody, as users write them; empty = all
 * @param secrets key by context, for contexts whose peers must prove it; covers the contexts below
 *     it, but that of {@code /} only the root context itself
 * @param connectionSecret what an LRWP 3 peer must prove that names no context in its startup
 *     string; null for nothing
 * @param reserved contexts of modules: nobody gets them, nor what takes requests of them, unless an
 *     identity's scope names them
 * @param identities by name
 */
public record AccessPolicy(
        boolean required,
        LeastVersion least,
        Set<String> allowed,
        Map<String, Secret> secrets,
        @Nullable Secret connectionSecret,
        List<Scope> reserved,
        Map<String, Identity> identities) {
    /** The policy without any rule. */
    public static final AccessPolicy OPEN =
            new AccessPolicy(
                    false, LeastVersion.LRWP_1_0, Set.of(), Map.of(), null, List.of(), Map.of());

    /** Copies all of it. */
    public AccessPolicy {
        Objects.requireNonNull(least, "least");
        allowed = Set.copyOf(allowed);
        secrets = Map.copyOf(secrets);
        reserved = List.copyOf(reserved);
        identities = Map.copyOf(identities);
    }

    /**
     * Returns a policy with other identities.
     *
     * @param others by name
     * @return the same otherwise
     */
    public AccessPolicy with(Map<String, Identity> others) {
        return new AccessPolicy(
                required, least, allowed, secrets, connectionSecret, reserved, others);
    }

    // ---- Identities.

    /**
     * Returns what an identity's name and key id stand for.
     *
     * @param name of an identity
     * @param keyId of one of its keys
     * @param now the time of day
     * @return who proves that key; empty when there is none, or it is not valid any more
     */
    public Optional<Principal.KeyHolder> holder(String name, String keyId, Instant now) {
        Identity identity = identities.get(name);
        IdentityKey key = identity == null || !identity.isValidAt(now) ? null : identity.key(keyId);
        return key == null
                ? Optional.empty()
                : Optional.of(new Principal.KeyHolder(name, keyId, key));
    }

    /**
     * Returns whose a certificate is.
     *
     * @param certificate one that TLS trusts
     * @param now the time of day
     * @return its identity, the first by name when several have it; empty when none has it, or it
     *     is not valid any more
     */
    public Optional<Principal.CertificateHolder> holder(X509Certificate certificate, Instant now) {
        return first(now, one -> one.hasCertificate(certificate))
                .map(name -> new Principal.CertificateHolder(name, certificate));
    }

    /**
     * Returns whose peer a process of a user is, at the Unix domain socket.
     *
     * @param user as the kernel names the owner of a process
     * @param now the time of day
     * @return its identity, the first by name when several have it; empty when none has it, or it
     *     is not valid any more
     */
    public Optional<Principal.ProcessOwner> processOwner(String user, Instant now) {
        return first(now, one -> one.hasUser(user))
                .map(name -> new Principal.ProcessOwner(name, user));
    }

    private Optional<String> first(Instant now, Predicate<Identity> wanted) {
        return identities.values().stream()
                .filter(one -> one.isValidAt(now) && wanted.test(one))
                .map(Identity::name)
                .min(Comparator.naturalOrder());
    }

    /**
     * Returns the identities that a peer of LRWP 1 or 2 may be.
     *
     * @param context what it wants to register, as users write it
     * @param host the only virtual host; empty = every host
     * @param address where it comes from
     * @param now the time of day
     * @return those whose scope and networks fit, by name
     */
    public Collection<Principal.OldPeer> oldPeers(
            String context, String host, InetAddress address, Instant now) {
        Map<String, Principal.OldPeer> found = new TreeMap<>();
        for (Identity one : identities.values()) {
            boolean old = !(one.proof() instanceof Identity.Proof.Credentials);
            if (old
                    && one.isValidAt(now)
                    && one.mayComeFrom(address)
                    && one.scope().permits(context, host)) {
                found.put(one.name(), new Principal.OldPeer(one.name(), one.proof()));
            }
        }
        return found.values();
    }

    /**
     * Returns the secret of a context. It covers what lies below its context too: who could
     * register {@code /osp/a} would else take requests of {@code /osp}.
     *
     * @param registered the context, as users write it
     * @return its secret; null for none
     */
    public @Nullable Secret secret(String registered) {
        String context = registered;
        while (context.length() > 1) {
            Secret secret = secrets.get(context);
            if (secret != null) {
                return secret;
            }
            context = context.substring(0, Math.max(context.lastIndexOf('/'), 0));
        }
        return secrets.get(registered);
    }

    /**
     * Names the identity of those who prove a secret.
     *
     * @param secret one of the secrets
     * @return the same for all contexts that have it
     */
    public Principal.SecretHolder holder(Secret secret) {
        String first =
                secrets.entrySet().stream()
                        .filter(entry -> entry.getValue().equals(secret))
                        .map(Map.Entry::getKey)
                        .sorted()
                        .findFirst()
                        .orElse("connection");
        return new Principal.SecretHolder("secret:" + first, secret);
    }

    /**
     * A context that is somebody's.
     *
     * @param context as users write it
     * @param host the only virtual host; empty = every host
     * @param owners the names of those who may serve it
     */
    public record Claim(String context, String host, Set<String> owners) {}

    /**
     * Returns what it gives to somebody. The root context is not among it: every path is below.
     *
     * @return one for each context and host
     */
    public List<Claim> claims() {
        List<Claim> claims = new ArrayList<>();
        for (Identity one : identities.values()) {
            Set<String> hosts = one.scope().hosts();
            for (ContextPattern pattern : one.scope().contexts()) {
                for (String host : hosts.isEmpty() ? Set.of("") : hosts) {
                    claims.add(claim(pattern.context(), host));
                }
            }
        }
        secrets.keySet().forEach(context -> claims.add(claim(context, "")));
        claims.removeIf(claim -> claim.context().equals("/"));
        return claims;
    }

    private Claim claim(String context, String host) {
        Set<String> owners = new HashSet<>();
        owners.add(Principal.MODULES);
        Secret secret = secret(context);
        if (secret != null) {
            owners.add(holder(secret).name());
        }
        identities.values().stream()
                .filter(one -> one.scope().permits(context, host))
                .map(Identity::name)
                .forEach(owners::add);
        return new Claim(context, host, owners);
    }

    // ---- Judgements.

    /**
     * Says whether anybody at all may serve a context.
     *
     * @param context as users write it
     * @return false for the proxy's own, and for those that are not on the list of allowed ones
     */
    public boolean mayBeRegistered(String context) {
        boolean own = context.equals("/-") || context.startsWith("/-/");
        return !own && (allowed.isEmpty() || allowed.contains(context));
    }

    /**
     * Says whether somebody is still who it was, after a change of the policy or with time.
     *
     * @param who a principal of this policy or an earlier one
     * @param address where it comes from
     * @param now the time of day
     * @return false when its identity, its key or secret, or its network is gone
     */
    public boolean knows(Principal who, InetAddress address, Instant now) {
        return switch (who) {
            case Principal.Anonymous _ -> !required;
            case Principal.SecretHolder(_, Secret secret) ->
                    isOf(secret, connectionSecret) || secrets.containsValue(secret);
            case Principal.KeyHolder(String name, String keyId, IdentityKey key) -> {
                Identity identity = valid(name, address, now);
                yield identity != null && isOf(key, identity.key(keyId));
            }
            case Principal.CertificateHolder(String name, X509Certificate certificate) -> {
                Identity identity = valid(name, address, now);
                yield identity != null && identity.hasCertificate(certificate);
            }
            case Principal.ProcessOwner(String name, String user) -> {
                Identity identity = valid(name, address, now);
                yield identity != null && identity.hasUser(user);
            }
            case Principal.OldPeer(String name, Identity.Proof asked) -> {
                Identity identity = valid(name, address, now);
                yield identity != null && identity.proof().equals(asked);
            }
        };
    }

    private static boolean isOf(Object proved, @Nullable Object known) {
        return known != null && proved.equals(known);
    }

    private @Nullable Identity valid(String name, InetAddress address, Instant now) {
        Identity identity = identities.get(name);
        return identity != null && identity.isValidAt(now) && identity.mayComeFrom(address)
                ? identity
                : null;
    }

    /**
     * Returns who owns what a principal registers. A secret covers its own contexts; with the
     * others its holder is a peer without identity.
     *
     * @param who who wants to register
     * @param context as users write it
     * @param host the only virtual host; empty = every host
     * @return the owner's name, or why it is refused
     */
    public Judgement judge(Principal who, String context, String host) {
        if (!mayBeRegistered(context)) {
            return Judgement.refused(Refusal.NOT_PERMITTED.text());
        }
        return switch (who) {
            case Principal.KeyHolder(String name, _, _) -> judgeIdentity(name, context, host);
            case Principal.CertificateHolder(String name, _) -> judgeIdentity(name, context, host);
            case Principal.ProcessOwner(String name, _) -> judgeIdentity(name, context, host);
            case Principal.OldPeer(String name, _) -> judgeIdentity(name, context, host);
            case Principal.SecretHolder holder when isOf(holder.secret(), secret(context)) ->
                    isReserved(context, host)
                            ? Judgement.refused(Refusal.NOT_PERMITTED.text())
                            : Judgement.owned(holder.name());
            case Principal.SecretHolder _, Principal.Anonymous _ -> judgeAnonymous(context, host);
        };
    }

    private Judgement judgeIdentity(String name, String context, String host) {
        Identity identity = identities.get(name);
        boolean given =
                identity != null
                        && identity.scope().permits(context, host)
                        && (identity.scope().names(context) || !isReserved(context, host));
        return given ? Judgement.owned(name) : Judgement.refused(Refusal.NOT_PERMITTED.text());
    }

    private Judgement judgeAnonymous(String context, String host) {
        if (secret(context) != null) {
            return Judgement.refused(
                    "ERROR: Context needs a secret that this connection has not proved");
        }
        if (required) {
            return Judgement.refused(Refusal.IDENTITY_REQUIRED.text());
        }
        boolean taken =
                isReserved(context, host)
                        || identities.values().stream()
                                .anyMatch(one -> one.scope().losesTo(context, host))
                        || secrets.keySet().stream()
                                .anyMatch(own -> ContextPattern.exactly(own).losesTo(context));
        return taken
                ? Judgement.refused(Refusal.NOT_PERMITTED.text())
                : Judgement.owned(Principal.ANONYMOUS);
    }

    private boolean isReserved(String context, String host) {
        return reserved.stream().anyMatch(scope -> scope.losesTo(context, host));
    }

    /**
     * What became of a wish to register.
     *
     * @param owner whose the context is; empty when it is refused
     * @param refusal why not, as the peer is told; empty when it is granted
     */
    public record Judgement(String owner, String refusal) {
        private static Judgement owned(String owner) {
            return new Judgement(owner, "");
        }

        private static Judgement refused(String refusal) {
            return new Judgement("", refusal);
        }

        /**
         * Says whether it is granted.
         *
         * @return false when there is a refusal
         */
        public boolean isGranted() {
            return refusal.isEmpty();
        }
    }
}
