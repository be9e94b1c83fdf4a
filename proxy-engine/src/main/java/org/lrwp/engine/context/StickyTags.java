package org.lrwp.engine.context;

import org.lrwp.engine.peer.PeerInstance;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;

/**
 * Makes the tags by which clients come back to a process: keyed hashes of its name. A process that
 * has not said its name gets a random one. Thread-safe.
 */
final class StickyTags {
    private static final int BYTES = 16;

    private final SecureRandom random = new SecureRandom();
    private final String context;
    private final String virtualHost;

    StickyTags(String context, String virtualHost) {
        this.context = context;
        this.virtualHost = virtualHost;
    }

    /** Another context has another tag for the same process. */
    String of(Object instance, StickyConfig.Hash hash) {
        byte[] tag = new byte[BYTES];
        if (instance instanceof PeerInstance(String identity, String name)) {
            // No part has a NUL.
            String text = String.join("\0", "lrwp sticky", context, virtualHost, identity, name);
            tag = Arrays.copyOf(hash.of(text), BYTES);
        } else {
            random.nextBytes(tag);
        }
        return Base64.getUrlEncoder().withoutPadding().encodeToString(tag);
    }
}
