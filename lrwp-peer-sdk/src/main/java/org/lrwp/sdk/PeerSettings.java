package org.lrwp.sdk;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.protocol.Registration;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** What a builder was told, checked and complete. */
record PeerSettings(
        List<ProxyAddress> proxies,
        List<String> contexts,
        String virtualHost,
        int concurrency,
        @Nullable Secret secret,
        RequestHandler handler,
        PeerListener listener,
        Limits limits,
        PeerTimes times,
        Surroundings surroundings) {

    /** Most octets of an env block and of a request's body. */
    record Limits(int environment, long body) {}

    /** Clock, chance and name service: what tests replace. */
    record Surroundings(LongSupplier nanoTime, RandomGenerator random, NameResolver resolver) {}

    /** Returns what to register for one context. Names go out as UTF-8, which holds no 0xFF. */
    Registration registration(String context) {
        String name = context.startsWith("/") ? context.substring(1) : context;
        ProtocolVersion version = secret == null ? ProtocolVersion.LRWP_1 : ProtocolVersion.LRWP_2;
        return new Registration(version, octets(name), octets(virtualHost));
    }

    private static String octets(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }
}
