package org.lrwp.engine.agent;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.peer.Lrwp3Config;
import org.lrwp.protocol.network.Network;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Where peers dial in, and which of them are let in.
 *
 * @param address local address to listen on
 * @param port TCP port to listen on, 0 to 65535; 0 = any free one
 * @param networks where peers may come from; an address outside them is refused
 * @param registrationTime how long a peer may take to register, the challenge included; then it is
 *     refused
 * @param settle how long after its acknowledgement an LRWP 1 peer gets its first request at the
 *     earliest; 0 = at once
 * @param maxPeers connections of peers at once; above it they are refused
 * @param maxPeersPerAddress the same for one remote address
 * @param allowedContexts contexts that may be registered, as users write them; empty = any
 * @param secrets key by context, for contexts whose peers must prove it; covers the contexts below
 *     it, but that of {@code /} only the root context itself
 * @param connectionSecret what an LRWP 3 peer must prove that names no context in its startup
 *     string; null for nothing
 * @param lrwp3 limits of LRWP 3 connections
 */
public record AgentConfig(
        InetAddress address,
        int port,
        List<Network> networks,
        Duration registrationTime,
        Duration settle,
        int maxPeers,
        int maxPeersPerAddress,
        Set<String> allowedContexts,
        Map<String, Secret> secrets,
        @Nullable Secret connectionSecret,
        Lrwp3Config lrwp3) {
    /** Checks and copies all values. */
    public AgentConfig {
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(lrwp3, "lrwp3");
        networks = List.copyOf(networks);
        allowedContexts = Set.copyOf(allowedContexts);
        secrets = Map.copyOf(secrets);
        if (port < 0 || port > 0xFFFF) {
            throw new IllegalArgumentException("port " + port + " is not within 0 to 65535");
        }
        if (registrationTime.isNegative() || registrationTime.isZero() || settle.isNegative()) {
            throw new IllegalArgumentException(
                    "registrationTime " + registrationTime + ", settle " + settle);
        }
        if (maxPeers < 1 || maxPeersPerAddress < 1) {
            throw new IllegalArgumentException(
                    "maxPeers " + maxPeers + ", maxPeersPerAddress " + maxPeersPerAddress);
        }
    }
}
