package org.lrwp.osp.secure;

import org.lrwp.osp.message.MalformedMessageException;
import org.lrwp.osp.message.RefusedException;
import org.lrwp.osp.message.Sender;
import org.lrwp.osp.message.Status;
import org.lrwp.osp.token.Keys;
import org.lrwp.osp.token.TokenSigner;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.Provider;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.random.RandomGenerator;

/**
 * Opens and makes messages in the signed form. What a client signs tells which device it is; what
 * goes back is signed by this server, with its certificate. Any thread may call it.
 */
public final class SignedMessages {
    private static final byte[] PART_HEAD =
            "Content-Type: text/plain\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final Keys keys;
    private final DeviceTrust devices;
    private final Provider provider;
    private final InstantSource clock;
    private final RandomGenerator random;

    /**
     * Creates the form.
     *
     * @param keys who signs what goes back
     * @param devices finds out who has signed what comes
     * @param provider whose code signs
     * @param clock the time at which certificates have to count
     * @param random source of boundaries; any thread may call it
     */
    public SignedMessages(
            Keys keys,
            DeviceTrust devices,
            Provider provider,
            InstantSource clock,
            RandomGenerator random) {
        this.keys = keys;
        this.devices = devices;
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
     * A message out of its signed form.
     *
     * @param message its bytes
     * @param device who has signed it
     */
    @SuppressWarnings("ArrayRecordComponent") // Handed on once, never compared.
    public record Opened(byte[] message, Sender.Device device) {}

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
     * @return the message inside, and who has signed it
     * @throws MalformedMessageException when it is not two parts
     * @throws RefusedException when no device that counts has signed it
     */
    public Opened open(String contentType, byte[] body)
            throws MalformedMessageException, RefusedException {
        Multipart parts = Multipart.of(contentType, body);
        Sender.Device device =
                devices.signer(parts.first().bytes(), parts.second().content(), clock.instant());
        return new Opened(parts.first().content(), device);
    }

    /**
     * Finds out whose certificate a client has shown to the proxy.
     *
     * @param shown as the proxy tells it, in base64
     * @return the device
     * @throws RefusedException when it is not the certificate of a device that counts
     */
    public Sender.Device holder(String shown) throws RefusedException {
        try {
            return devices.holder(Base64.getDecoder().decode(shown), clock.instant());
        } catch (IllegalArgumentException notBase64) {
            throw new RefusedException(Status.CERTIFICATE_INVALID);
        }
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
