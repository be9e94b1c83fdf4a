package org.lrwp.server;

import org.lrwp.files.PrivateFile;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a peer has just been given to prove who it is.
 *
 * @param settings of the identity in the peers file, behind {@code peer.NAME.}
 * @param proxy what the proxy's configuration needs, by key
 * @param made the new files that the proxy reads
 * @param peer what the peer needs, for people
 */
record PeerCredential(
        Map<String, String> settings, Map<String, String> proxy, List<Path> made, String peer) {
    private static final int KEY_BYTES = 32;

    /**
     * Makes a key of LRWP 3.1. Blocks on the disk.
     *
     * @param taken ids of keys that the identity has
     */
    static PeerCredential key(String name, Path folder, Set<String> taken) throws IOException {
        String day = LocalDate.now(ZoneOffset.UTC).toString();
        String id = day;
        for (char next = 'b';
                next <= 'z' && (taken.contains(id) || Files.exists(keyFile(folder, name, id)));
                next++) {
            id = day + next;
        }
        Path file = keyFile(folder, name, id);
        byte[] bytes = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(bytes);
        String digits = HexFormat.of().formatHex(bytes) + "\n";
        try (FileChannel made = PrivateFile.create(file)) {
            made.write(ByteBuffer.wrap(digits.getBytes(StandardCharsets.US_ASCII)));
        }
        String told =
                """
                The peer    its name %1$s, the key id %2$s and a copy of %3$s (mode 600);
                  Java        PeerBuilder.identity("%1$s", "%2$s", Path.of("%4$s"))
                  Python      identity="%1$s", key_id="%2$s", key_file="%4$s"
                  JavaScript  identity: '%1$s', keyId: '%2$s', keyFile: '%4$s'
                  Go          Identity: "%1$s", KeyID: "%2$s", KeyFile: "%4$s"
                  C           .identity = "%1$s", .key_id = "%2$s", .key_file = "%4$s"
                  programs    --identity %1$s --key-id %2$s --key-file %4$s
                """
                        .formatted(name, id, file, file.getFileName());
        return new PeerCredential(
                Map.of("key." + id, file.toString()), Map.of(), List.of(file), told);
    }

    private static Path keyFile(Path folder, String name, String id) {
        return folder.resolve(name + "." + id + ".key");
    }

    /**
     * Issues a certificate, and before it whatever is missing of an authority and a certificate of
     * the proxy. Blocks on the disk.
     *
     * @param names of the proxy, as {@link OwnAuthority.Request} has them
     * @param port that peers dial
     */
    static PeerCredential certificate(
            String name, Path folder, List<String> names, int days, String port)
            throws IOException {
        List<Path> made = new ArrayList<>();
        boolean first = !OwnAuthority.isIn(folder);
        OwnAuthority authority = OwnAuthority.in(folder);
        if (first) {
            made.add(authority.certificate());
        }
        Path certificate = folder.resolve(name + ".pem");
        Path key = folder.resolve(name + ".key");
        authority.issue(
                new OwnAuthority.Request(name, OwnAuthority.Purpose.PEER, List.of(), days),
                certificate,
                key);
        Path proxy = folder.resolve("proxy.pem");
        Path proxyKey = folder.resolve("proxy.key");
        if (!Files.exists(proxy)) {
            authority.issue(
                    new OwnAuthority.Request("proxy", OwnAuthority.Purpose.PROXY, names, days),
                    proxy,
                    proxyKey);
            made.addAll(List.of(proxy, proxyKey));
        }
        Map<String, String> needed = new LinkedHashMap<>();
        needed.put("agent.tls.certificate", proxy.toString());
        needed.put("agent.tls.key", proxyKey.toString());
        needed.put("agent.tls.trust", authority.certificate().toString());
        return new PeerCredential(
                Map.of("certificate", "CN=" + name),
                needed,
                made,
                told(authority, certificate, key, port));
    }

    /**
     * Issues a certificate in the place of one that {@link #certificate} has made. Blocks on the
     * disk.
     */
    static PeerCredential renewed(String name, Path folder, int days, String port)
            throws IOException {
        OwnAuthority authority = OwnAuthority.in(folder);
        Path certificate = folder.resolve(name + ".pem");
        Path key = folder.resolve(name + ".key");
        authority.renew(
                new OwnAuthority.Request(name, OwnAuthority.Purpose.PEER, List.of(), days),
                certificate,
                key);
        return new PeerCredential(
                Map.of(), Map.of(), List.of(), told(authority, certificate, key, port));
    }

    private static String told(OwnAuthority authority, Path certificate, Path key, String port) {
        return """
        The peer    copies of %1$s, %2$s and %3$s (mode 600); it dials agent.tls.port, %7$s
          Java        .tls(PeerTls.trusting(Path.of("%4$s")).certificate(Path.of("%5$s"), Path.of("%6$s")))
          Python      tls=lrwp.trust("%4$s", "%5$s", "%6$s")
          JavaScript  tls: { ca: readFileSync('%4$s'), cert: readFileSync('%5$s'), key: readFileSync('%6$s') }
          Go          TLS: config, with config, err := lrwp.Trust("%4$s", "%5$s", "%6$s")
          C           .tls = &lrwp_openssl, .ca_file = "%4$s", .certificate = "%5$s",
                      .certificate_key = "%6$s"
          programs    --ca-file %4$s --certificate %5$s --certificate-key %6$s
        """
                .formatted(
                        authority.certificate(),
                        certificate,
                        key,
                        authority.certificate().getFileName(),
                        certificate.getFileName(),
                        key.getFileName(),
                        port);
    }
}
