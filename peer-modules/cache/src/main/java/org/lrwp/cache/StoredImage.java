package org.lrwp.cache;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * One image as it stands in the map: a length of its content type, the type, twelve bytes of the
 * SHA-256 of the body, the body.
 *
 * @param type content type
 * @param etag strong entity tag, quoted: RFC 9110 section 8.8.3
 * @param body from position to limit
 */
record StoredImage(String type, String etag, ByteBuffer body) {
    private static final int DIGEST = 12;

    /** The most bytes that stand before a body. */
    static final int HEAD = 1 + ContentKind.LONGEST + DIGEST;

    /** Makes the bytes for the map from a body that begins at {@link #HEAD} of a buffer. */
    static ByteBuffer encode(String type, ByteBuffer body) {
        byte[] name = type.getBytes(StandardCharsets.US_ASCII);
        MessageDigest digest = sha256();
        digest.update(body.duplicate());
        byte[] sum = digest.digest();
        // Right before the body, so that nothing has to be moved.
        int start = body.position() - DIGEST - name.length - 1;
        ByteBuffer all = body.duplicate();
        all.position(start);
        all.put((byte) name.length).put(name).put(sum, 0, DIGEST);
        return all.position(start);
    }

    /** Reads what stands in the map. */
    static StoredImage decode(byte[] bytes) {
        int length = bytes[0];
        String type = new String(bytes, 1, length, StandardCharsets.US_ASCII);
        ByteBuffer digest = ByteBuffer.wrap(bytes, 1 + length, DIGEST).slice();
        byte[] text = Base64.getUrlEncoder().encode(digest.duplicate()).array();
        String etag = '"' + new String(text, StandardCharsets.US_ASCII) + '"';
        int start = 1 + length + DIGEST;
        return new StoredImage(type, etag, ByteBuffer.wrap(bytes, start, bytes.length - start));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each JDK has SHA-256", e);
        }
    }
}
