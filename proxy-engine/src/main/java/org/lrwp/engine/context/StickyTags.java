package org.lrwp.engine.context;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.identity.Secret;
import org.lrwp.engine.peer.PeerInstance;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Makes the tags by which clients come back to a process: keyed hashes of its name, which tell
 * nobody the name and which nobody can make without the key. A process that has not said its name
 * gets a random one. Thread-safe.
 */
final class StickyTags {
    private static final String HASH = "HmacSHA256";
    private static final int BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Where no key is configured: tags are good for as long as the proxy runs. */
    private static final byte[] KEY_OF_THIS_RUN = random(32);

    private final String context;
    private final String virtualHost;

    StickyTags(String context, String virtualHost) {
        this.context = context;
        this.virtualHost = virtualHost;
    }

    /** Another context has another tag for the same process. */
    String of(Object instance, @Nullable Secret key) {
        byte[] tag =
                instance instanceof PeerInstance(String identity, String name)
                        ? hash(key, identity, name)
                        : random(BYTES);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(tag);
    }

    private byte[] hash(@Nullable Secret key, String identity, String name) {
        try {
            Mac mac = Mac.getInstance(HASH);
            mac.init(new SecretKeySpec(key == null ? KEY_OF_THIS_RUN : key.key(), HASH));
            for (String part : new String[] {"lrwp sticky", context, virtualHost, identity, name}) {
                mac.update(part.getBytes(StandardCharsets.UTF_8));
                mac.update((byte) 0);
            }
            return Arrays.copyOf(mac.doFinal(), BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + HASH, e);
        }
    }

    private static byte[] random(int count) {
        byte[] bytes = new byte[count];
        RANDOM.nextBytes(bytes);
        return bytes;
    }
}
