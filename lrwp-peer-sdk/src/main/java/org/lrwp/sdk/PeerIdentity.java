package org.lrwp.sdk;

import org.lrwp.protocol.IdentityClaim;
import org.lrwp.protocol.IdentityKey;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;

/**
 * Who a peer is, and the key by which it shows that: docs/protocol.md section 17.
 *
 * @param name of the identity in the proxy's configuration
 * @param keyId which of its keys this is
 * @param key the key
 */
record PeerIdentity(String name, String keyId, IdentityKey key) {
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Two digits for each byte of the longest key, and a line end. */
    private static final int MAX_FILE = 2 * IdentityKey.MAX_SIZE + 2;

    private static final Set<PosixFilePermission> OWNER_ONLY =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    /** Checks the names. */
    PeerIdentity {
        if (name.isEmpty() || keyId.isEmpty()) {
            throw new IllegalArgumentException("an identity needs a name and the id of its key");
        }
        claim(name, keyId);
    }

    /** Reads the key from a file that only its owner may touch; blocks on the disk. */
    static PeerIdentity read(String name, String keyId, Path file) throws IOException {
        var view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        if (view != null && !OWNER_ONLY.containsAll(view.readAttributes().permissions())) {
            throw new IllegalArgumentException(
                    "others than its owner may use " + file + "; set its mode to 600");
        }
        if (Files.size(file) > MAX_FILE) {
            throw new IllegalArgumentException(file + " is longer than " + MAX_FILE + " bytes");
        }
        try {
            return new PeerIdentity(name, keyId, IdentityKey.parse(Files.readString(file)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
    }

    /** What the startup string says, with a nonce that was never sent before. */
    IdentityClaim claim() {
        return claim(name, keyId);
    }

    private static IdentityClaim claim(String name, String keyId) {
        byte[] nonce = new byte[IdentityClaim.NONCE_DIGITS / 2];
        RANDOM.nextBytes(nonce);
        return new IdentityClaim(name, keyId, HexFormat.of().formatHex(nonce));
    }
}
