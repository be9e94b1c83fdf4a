package org.lrwp.osp.secure;

import org.lrwp.osp.message.MalformedMessageException;
import org.lrwp.osp.message.RefusedException;
import org.lrwp.osp.token.Keys;
import org.lrwp.osp.token.TokenSigner;
import org.lrwp.osp.token.TokenVerifier;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.Provider;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.random.RandomGenerator;

/**
 * Opens and makes messages in the signed form. What a client signs is checked against this server's
 * keys; what goes back is signed by it, with its certificate. Any thread may call it.
 */
public final class SignedMessages {
    private static final byte[] PART_HEAD =
            "Content-Type: text/plain\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final Keys keys;
    private final TokenVerifier verifier;
    private final Provider provider;
    private final InstantSource clock;
    private final RandomGenerator random;

    /**
     * Creates the form.
     *
     * @param keys who signs, and whose signatures count
     * @param verifier checks signatures
     * @param provider whose code signs
     * @param clock the time at which certificates have to count
     * @param random source of boundaries; any thread may call it
     */
    public SignedMessages(
            Keys keys,
            TokenVerifier verifier,
            Provider provider,
            InstantSource clock,
            RandomGenerator random) {
        this.keys = keys;
        this.verifier = verifier;
        this.provider = provider;
        this.clock = clock;
        this.random = random;
    }

    /** A message in the signed form. */
    public static final class SignedMessage {
        private final String contentType;
        private final byte[] body;

        SignedMessage(String contentType, byte[] body) {
            this.contentType = contentType;
            this.body = body;
        }

        /**
         * Returns its type.
         *
         * @return the value of Content-Type, with the boundary
         */
        public String contentType() {
            return contentType;
        }

        /**
         * Returns its bytes.
         *
         * @return the body, not a copy
         */
        public byte[] body() {
            return body;
        }
    }

    /**
     * Tells whether a content type is that of the signed form.
     *
     * @param contentType the value of Content-Type
     * @return whether it is multipart/signed
     */
    public static boolean isSigned(String contentType) {
        return contentType.toLowerCase(Locale.ROOT).startsWith("multipart/signed");
    }

    /**
     * Checks a signed message and takes the message out.
     *
     * @param contentType the value of Content-Type
     * @param body the whole body
     * @return the message inside
     * @throws MalformedMessageException when it is not two parts
     * @throws RefusedException when nobody trusted signed it
     */
    public byte[] open(String contentType, byte[] body)
            throws MalformedMessageException, RefusedException {
        Multipart parts = Multipart.of(contentType, body);
        verifier.check(parts.first().octets(), parts.second().content(), clock.instant());
        return parts.first().content();
    }

    /**
     * Signs a message.
     *
     * @param message the message
     * @return its signed form
     */
    public SignedMessage sign(byte[] message) {
        byte[] bytes = new byte[12];
        random.nextBytes(bytes);
        String boundary = "osp-" + HexFormat.of().formatHex(bytes);
        ByteArrayOutputStream part = new ByteArrayOutputStream();
        part.writeBytes(PART_HEAD);
        part.writeBytes(message);
        byte[] signature =
                new TokenSigner(keys.ring().signer(), provider)
                        .sign(part.toByteArray(), false, true);

        ByteArrayOutputStream body = new ByteArrayOutputStream();
        text(body, "--" + boundary + "\r\n");
        body.writeBytes(part.toByteArray());
        text(body, "\r\n--" + boundary + "\r\n");
        text(body, "Content-Type: application/pkcs7-signature\r\n");
        text(body, "Content-Transfer-Encoding: base64\r\n\r\n");
        body.writeBytes(Base64.getMimeEncoder().encode(signature));
        text(body, "\r\n--" + boundary + "--\r\n");
        return new SignedMessage(
                "multipart/signed; protocol=\"application/pkcs7-signature\"; micalg=sha-256;"
                        + " boundary="
                        + boundary,
                body.toByteArray());
    }

    private static void text(ByteArrayOutputStream out, String text) {
        out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }
}
