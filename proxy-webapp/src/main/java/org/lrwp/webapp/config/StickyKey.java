package org.lrwp.webapp.config;

import org.lrwp.engine.context.StickyConfig;
import org.lrwp.engine.identity.Secret;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The key of sticky cookies: HMAC-SHA-256.
 *
 * @param key at least one byte
 */
record StickyKey(Secret key) implements StickyConfig.Hash {
    private static final String HASH = "HmacSHA256";

    /** Where no key is configured: cookies are good for as long as the proxy runs. */
    static final StickyKey OF_THIS_RUN = new StickyKey(new Secret(random()));

    private static byte[] random() {
        byte[] bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }

    @Override
    public byte[] of(String text) {
        try {
            Mac mac = Mac.getInstance(HASH);
            mac.init(new SecretKeySpec(key.key(), HASH));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + HASH, e);
        }
    }
}
