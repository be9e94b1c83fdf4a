package org.lrwp.sdk;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.IdentityClaim;
import org.lrwp.protocol.IdentityKey;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.protocol.Registration;
import org.lrwp.protocol.UpgradeNames;
import org.lrwp.protocol.frame.ContextName;
import org.lrwp.protocol.frame.PeerSettings;
import org.lrwp.sdk.tls.PeerTls;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** What a builder was told, checked and complete; only the demand and the places change. */
record PeerConfig(
        List<ProxyAddress> proxies,
        AtomicReference<Demand> demand,
        Places places,
        String vhost,
        @Nullable Secret secret,
        @Nullable PeerIdentity identity,
        PeerHandler handler,
        @Nullable Admission admit,
        PeerListener listener,
        Wire wire,
        Limits limits,
        PeerTimes times,
        Duration drain,
        Surroundings surroundings) {

    /** How the peer speaks: versions, the settings of LRWP 3, and TLS, if any. */
    record Wire(
            ProtocolVersion oldest,
            ProtocolVersion newest,
            String name,
            long window,
            boolean started,
            boolean stream,
            UpgradeNames upgrades,
            String instance,
            @Nullable PeerTls tls) {}

    /** Most bytes of an env block and of a request's body. */
    record Limits(int environment, long body) {}

    /** Clock, chance and name service: what tests replace. */
    record Surroundings(LongSupplier nanoTime, RandomGenerator random, NameResolver resolver) {}

    List<String> contexts() {
        return demand.get().contexts();
    }

    long window() {
        return wire.window();
    }

    boolean started() {
        return wire.started();
    }

    /** Returns the largest payload that the peer takes: the env block must fit. */
    int maxFrame() {
        return Math.max(PeerSettings.MIN_MAX_FRAME, limits.environment() + Integer.BYTES);
    }

    /** Returns what the peer says about itself on a connection of LRWP 3. */
    PeerSettings settings(int capacity) {
        return new PeerSettings(
                wire.name(),
                capacity,
                maxFrame(),
                wire.window(),
                wire.started(),
                wire.stream(),
                true,
                wire.upgrades(),
                wire.instance());
    }

    /** Returns the key that the proxy must have too, and sees proved; null for none. */
    @Nullable IdentityKey key() {
        return identity == null ? null : identity.key();
    }

    /** Returns the version to try after one that the proxy does not know, or null. */
    @Nullable ProtocolVersion below(ProtocolVersion version) {
        if (identity != null) {
            return null;
        }
        ProtocolVersion lower =
                switch (version) {
                    case LRWP_3 -> ProtocolVersion.LRWP_2;
                    // Version 1 has no way to show a secret.
                    case LRWP_2 -> secret == null ? ProtocolVersion.LRWP_1 : version;
                    case LRWP_1 -> version;
                };
        return lower == version || lower.compareTo(wire.oldest()) < 0 ? null : lower;
    }

    /** Returns what to register for one context. Names go out as UTF-8, which holds no 0xFF. */
    Registration registration(ProtocolVersion version, String context) {
        String name = wireName(context);
        if (version == ProtocolVersion.LRWP_3) {
            IdentityClaim claim = identity == null ? null : identity.claim();
            return new Registration(version, name, bytes(vhost), claim);
        }
        return new Registration(version, name.equals("/") ? "" : name, bytes(vhost));
    }

    /** Checks that a context can be registered, with every version. */
    void check(String context) {
        registration(ProtocolVersion.LRWP_1, context);
    }

    /** Returns the names of one context for a frame. */
    ContextName contextName(String context) {
        return new ContextName(wireName(context), bytes(vhost));
    }

    private static String wireName(String context) {
        String name = context.startsWith("/") ? context.substring(1) : context;
        return name.isEmpty() ? "/" : bytes(name);
    }

    private static String bytes(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }
}
