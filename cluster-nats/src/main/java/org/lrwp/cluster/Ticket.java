package org.lrwp.cluster;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Lets the body of one request in at one node, once: signed by the node that sends it with the
 * secret that all nodes of a cluster share.
 *
 * @param node who sends the body
 * @param to who takes it
 * @param epoch of the life of that node: a ticket is not good after its restart
 * @param answers where the answer of the request goes, which names the request
 * @param length of the body
 * @param until when it is good, milliseconds of the epoch
 */
record Ticket(String node, String to, long epoch, String answers, long length, long until) {
    /** How long one is good; the clocks of two nodes may be so far apart. */
    static final Duration TIME = Duration.ofSeconds(60);

    private static final String ALGORITHM = "HmacSHA256";
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    /** As it goes over the wire: what it says, a dot, and the signature. */
    String signed(byte[] secret) {
        byte[] said = bytes();
        return ENCODER.encodeToString(said) + "." + ENCODER.encodeToString(mac(secret, said));
    }

    /**
     * Reads a ticket.
     *
     * @throws IllegalArgumentException when it is none, or not signed with the secret; the message
     *     says which
     */
    static Ticket read(String text, byte[] secret) {
        int dot = text.indexOf('.');
        if (dot < 0) {
            throw new IllegalArgumentException("no ticket");
        }
        byte[] said = Base64.getUrlDecoder().decode(text.substring(0, dot));
        byte[] signature = Base64.getUrlDecoder().decode(text.substring(dot + 1));
        if (!MessageDigest.isEqual(signature, mac(secret, said))) {
            throw new IllegalArgumentException("the signature is wrong");
        }
        return of(said);
    }

    /** Why it is not good at a node; empty when it is. */
    String fault(Subjects self, long now) {
        if (!to.equals(self.node()) || epoch != self.epoch()) {
            return "it is for another node";
        }
        if (until <= now || until > now + 2 * TIME.toMillis()) {
            return "it is expired";
        }
        return "";
    }

    private byte[] bytes() {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            out.writeUTF(node);
            out.writeUTF(to);
            out.writeLong(epoch);
            out.writeUTF(answers);
            out.writeLong(length);
            out.writeLong(until);
        } catch (IOException e) {
            throw new UncheckedIOException("memory does not fail", e);
        }
        return bytes.toByteArray();
    }

    private static Ticket of(byte[] said) {
        try (var in = new DataInputStream(new ByteArrayInputStream(said))) {
            return new Ticket(
                    in.readUTF(),
                    in.readUTF(),
                    in.readLong(),
                    in.readUTF(),
                    in.readLong(),
                    in.readLong());
        } catch (IOException e) {
            throw new IllegalArgumentException("no ticket", e);
        }
    }

    private static byte[] mac(byte[] secret, byte[] said) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            mac.update("lrwp-ticket-1".getBytes(StandardCharsets.US_ASCII));
            return mac.doFinal(said);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }
}
