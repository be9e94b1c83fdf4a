package org.lrwp.runtime;

import org.jspecify.annotations.Nullable;
import org.lrwp.sdk.PeerBuilder;
import org.lrwp.sdk.tls.PeerTls;

import picocli.CommandLine.Option;

import java.io.UncheckedIOException;
import java.nio.file.Path;

/** The options of who a peer is, and whom it trusts. A picocli mixin. */
final class TrustOptions {
    @Option(
            names = "--identity",
            paramLabel = "NAME",
            description = "Who the peer is, by the proxy's file of identities; proved by LRWP 3.1")
    private @Nullable String identity;

    @Option(
            names = "--key-id",
            paramLabel = "ID",
            description = "Which of the identity's keys --key-file holds")
    private @Nullable String keyId;

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = "File with that key, as hexadecimal digits; only its owner may touch it")
    private @Nullable Path keyFile;

    @Option(
            names = "--ca-file",
            paramLabel = "FILE",
            description = "Dial inside TLS 1.3; PEM file of the authorities that the proxy is of")
    private @Nullable Path authorities;

    @Option(
            names = "--certificate",
            paramLabel = "FILE",
            description = "PEM file with the peer's certificate, which it shows inside TLS")
    private @Nullable Path certificate;

    @Option(
            names = "--certificate-key",
            paramLabel = "FILE",
            description = "PEM file with its private key: PKCS#8, only its owner may read it")
    private @Nullable Path certificateKey;

    /** Whether the peer proves a key, and so takes no secret. */
    boolean provesKey() {
        return identity != null;
    }

    /** Tells a peer who it is; blocks on the files. */
    void apply(PeerBuilder builder) throws BadOptionException {
        requireTogether(identity, "--identity", keyId, "--key-id");
        requireTogether(keyId, "--key-id", keyFile, "--key-file");
        requireTogether(keyFile, "--key-file", identity, "--identity");
        requireTogether(certificate, "--certificate", certificateKey, "--certificate-key");
        requireTogether(certificateKey, "--certificate-key", certificate, "--certificate");
        if (certificate != null && authorities == null) {
            throw new BadOptionException("--certificate needs --ca-file");
        }
        if (identity != null && keyId != null && keyFile != null) {
            applyKey(builder, identity, keyId, keyFile);
        }
        if (authorities != null) {
            applyTls(builder, PeerTls.trusting(authorities));
        }
    }

    private static void requireTogether(
            @Nullable Object given, String option, @Nullable Object other, String needed)
            throws BadOptionException {
        if (given != null && other == null) {
            throw new BadOptionException(option + " needs " + needed);
        }
    }

    private static void applyKey(PeerBuilder builder, String name, String id, Path file)
            throws BadOptionException {
        try {
            builder.identity(name, id, file);
        } catch (IllegalArgumentException | UncheckedIOException e) {
            throw new BadOptionException("--identity: " + e.getMessage());
        }
    }

    private void applyTls(PeerBuilder builder, PeerTls trusting) throws BadOptionException {
        try {
            builder.tls(
                    certificate == null || certificateKey == null
                            ? trusting
                            : trusting.certificate(certificate, certificateKey));
        } catch (IllegalArgumentException e) {
            throw new BadOptionException("--ca-file: " + e.getMessage());
        }
    }
}
