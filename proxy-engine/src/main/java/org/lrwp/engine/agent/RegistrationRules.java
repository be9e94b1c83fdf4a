package org.lrwp.engine.agent;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.identity.AccessPolicy;
import org.lrwp.engine.identity.Identity;
import org.lrwp.engine.identity.Principal;
import org.lrwp.engine.identity.Secret;
import org.lrwp.engine.transport.PeerAddress;
import org.lrwp.protocol.IdentityClaim;
import org.lrwp.protocol.IdentityKey;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.protocol.Refusal;
import org.lrwp.protocol.Registration;

import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Says what a startup string is answered, by the policy of the moment: docs/protocol.md sections 3,
 * 12 and 17. Thread-safe.
 */
final class RegistrationRules {
    private final InstantSource clock;
    private final RandomGenerator random;
    private volatile AccessPolicy policy;

    /** What follows a startup string. */
    sealed interface Step {
        /** The peer is refused; what it has shown may say who it is all the same. */
        record Refuse(Refusal refusal, Principal who) implements Step {}

        /** The peer is who it is, without a proof. */
        record Admit(Principal who) implements Step {}

        /** The peer has to prove one of several secrets. */
        record ProveSecret(List<Candidate> candidates) implements Step {}

        /** The peer has to prove a key; nobody has it when the name or the id is not known. */
        record ProveKey(IdentityKey key, Optional<Principal.KeyHolder> who) implements Step {}
    }

    /** A secret, and who proves it. */
    record Candidate(Secret secret, Principal who) {}

    RegistrationRules(AccessPolicy policy, InstantSource clock, RandomGenerator random) {
        this.policy = policy;
        this.clock = clock;
        this.random = random;
    }

    AccessPolicy policy() {
        return policy;
    }

    void policy(AccessPolicy next) {
        policy = next;
    }

    Instant now() {
        return clock.instant();
    }

    /**
     * Says what follows a startup string; what is wrong with it in the order that peers know.
     *
     * @param certificate the peer has shown inside TLS; null for none
     */
    Step first(Registration registration, PeerAddress from, @Nullable X509Certificate certificate) {
        AccessPolicy now = policy;
        Optional<? extends Principal> shown =
                from instanceof PeerAddress.Unix(String user, _)
                        ? now.processOwner(user, now())
                        : Optional.ofNullable(certificate).flatMap(one -> now.holder(one, now()));
        Principal who = shown.isPresent() ? shown.get() : new Principal.Anonymous();
        IdentityClaim claim = registration.claim();
        if (!now.least().permits(registration)) {
            return new Step.Refuse(Refusal.VERSION_NOT_PERMITTED, who);
        }
        if (claim != null && claim.hasKey()) {
            // What the connection shows and the key have to name the same identity.
            boolean same = shown.isEmpty() || shown.get().name().equals(claim.name());
            var holder =
                    same
                            ? now.holder(claim.name(), claim.keyId(), now())
                            : Optional.<Principal.KeyHolder>empty();
            return new Step.ProveKey(
                    holder.map(Principal.KeyHolder::key)
                            .orElseGet(() -> IdentityKey.random(random)),
                    holder);
        }
        if (!registration.registersNothing() && !now.mayBeRegistered(registration.context())) {
            return new Step.Refuse(Refusal.NOT_PERMITTED, who);
        }
        if (shown.isPresent()) {
            Refusal refusal = check(who, registration, from.address());
            return refusal == null ? new Step.Admit(who) : new Step.Refuse(refusal, who);
        }
        return withoutKey(now, registration, from.address());
    }

    private Step withoutKey(AccessPolicy now, Registration registration, InetAddress address) {
        List<Candidate> candidates = new ArrayList<>();
        Secret secret =
                registration.registersNothing()
                        ? now.connectionSecret()
                        : now.secret(registration.context());
        if (secret != null) {
            candidates.add(new Candidate(secret, now.holder(secret)));
        }
        if (registration.version() != ProtocolVersion.LRWP_3) {
            String host = registration.virtualHost();
            for (Principal.OldPeer one :
                    now.oldPeers(registration.context(), host, address, now())) {
                if (one.asked() instanceof Identity.Proof.SharedSecret(Secret own)) {
                    candidates.add(new Candidate(own, one));
                } else {
                    return new Step.Admit(one);
                }
            }
        }
        if (candidates.isEmpty()) {
            return anonymous(now, registration);
        }
        return registration.version() == ProtocolVersion.LRWP_1
                ? new Step.Refuse(Refusal.AUTHENTICATION_REQUIRED, new Principal.Anonymous())
                : new Step.ProveSecret(candidates);
    }

    private static Step anonymous(AccessPolicy now, Registration registration) {
        var nobody = new Principal.Anonymous();
        if (now.required()) {
            return new Step.Refuse(
                    registration.version() == ProtocolVersion.LRWP_1
                            ? Refusal.AUTHENTICATION_REQUIRED
                            : Refusal.IDENTITY_REQUIRED,
                    nobody);
        }
        return registration.registersNothing() || isGranted(now, nobody, registration)
                ? new Step.Admit(nobody)
                : new Step.Refuse(Refusal.NOT_PERMITTED, nobody);
    }

    private static boolean isGranted(AccessPolicy now, Principal who, Registration registration) {
        return now.judge(who, registration.context(), registration.virtualHost()).isGranted();
    }

    /** Says why a peer may not come in although it is who it is; null when it may. */
    @Nullable Refusal check(Principal who, Registration registration, InetAddress address) {
        AccessPolicy now = policy;
        if (!now.knows(who, address, now())) {
            return Refusal.UNAUTHORIZED_ACCESS;
        }
        return registration.registersNothing() || isGranted(now, who, registration)
                ? null
                : Refusal.NOT_PERMITTED;
    }
}
