package org.lrwp.engine.agent;

import org.lrwp.engine.identity.AccessPolicy;
import org.lrwp.engine.peer.Lrwp3Config;
import org.lrwp.protocol.network.Network;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * Where peers dial in, and which of them are let in.
 *
 * @param address local address to listen on
 * @param port TCP port to listen on, 0 to 65535; 0 = any free one
 * @param networks where peers may come from; a connection from elsewhere is closed
 * @param registrationTime how long a peer may take to register, the challenge included; then it is
 *     refused
 * @param settle how long after its acknowledgement an LRWP 1 peer gets its first request at the
 *     earliest; 0 = at once
 * @param limits how many peers there may be, and how fast they may register
 * @param access who may register what, at the start
 * @param lrwp3 limits of LRWP 3 connections
 */
public record AgentConfig(
        InetAddress address,
        int port,
        List<Network> networks,
        Duration registrationTime,
        Duration settle,
        PeerLimits limits,
        AccessPolicy access,
        Lrwp3Config lrwp3) {
    /** Checks and copies all values. */
    public AgentConfig {
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(limits, "limits");
        Objects.requireNonNull(access, "access");
        Objects.requireNonNull(lrwp3, "lrwp3");
        networks = List.copyOf(networks);
        if (port < 0 || port > 0xFFFF) {
            throw new IllegalArgumentException("port " + port + " is not within 0 to 65535");
        }
        if (registrationTime.isNegative() || registrationTime.isZero() || settle.isNegative()) {
            throw new IllegalArgumentException(
                    "registrationTime " + registrationTime + ", settle " + settle);
        }
    }

    /**
     * Returns the configuration with another policy.
     *
     * @param other who may register what
     * @return the same otherwise
     */
    public AgentConfig with(AccessPolicy other) {
        return new AgentConfig(
                address, port, networks, registrationTime, settle, limits, other, lrwp3);
    }
}
