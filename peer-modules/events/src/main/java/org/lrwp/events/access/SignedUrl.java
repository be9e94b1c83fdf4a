package org.lrwp.events.access;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs what somebody may do until some time: HMAC-SHA256 over three lines without a line end after
 * the last: the method, the channels as the path names them, and the last second (since 1970) at
 * which it is good. Written in hexadecimal digits.
 */
public final class SignedUrl {
    private static final String ALGORITHM = "HmacSHA256";

    private SignedUrl() {}

    /**
     * Signs.
     *
     * @param key the bytes of the signing key, at least one
     * @param action what is allowed
     * @param channels names joined by commas, as the path has them
     * @param expires the last second, since 1970
     * @return the value of the parameter {@code signature}
     */
    public static String sign(byte[] key, Action action, String channels, long expires) {
        String text = action.method() + "\n" + channels + "\n" + expires;
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }

    /** Whether a signature is that of these values, however long it takes to find out. */
    static boolean isSigned(
            byte[] key, Action action, String channels, long expires, String signature) {
        byte[] expected = sign(key, action, channels, expires).getBytes(StandardCharsets.UTF_8);
        return MessageDigest.isEqual(expected, signature.getBytes(StandardCharsets.UTF_8));
    }
}
