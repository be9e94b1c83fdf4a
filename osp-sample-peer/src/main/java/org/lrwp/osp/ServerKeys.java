package org.lrwp.osp;

import org.bouncycastle.cert.X509CertificateHolder;
import org.lrwp.osp.configuration.OspConfiguration;
import org.lrwp.osp.token.IdentityException;
import org.lrwp.osp.token.IdentityFiles;
import org.lrwp.osp.token.IdentityGenerator;
import org.lrwp.osp.token.IdentitySource;
import org.lrwp.osp.token.KeyRing;
import org.lrwp.osp.token.KeySeparation;
import org.lrwp.osp.token.Keys;
import org.lrwp.osp.token.SigningIdentity;
import org.lrwp.runtime.BadOptionException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The keys of the server, each named by options, or by the configuration, or kept in the data
 * folder and made there when it is first needed: one signs tokens, another issues certificates for
 * devices.
 *
 * @param keys the ring of the tokens to begin with
 * @param source the files the ring's signer came from
 * @param authority issues certificates; empty: nobody enrols here
 * @param authorities whose certificates are those of devices
 */
record ServerKeys(
        Keys keys,
        IdentitySource source,
        Optional<SigningIdentity> authority,
        List<X509CertificateHolder> authorities) {
    /** The folder inside the data folder. */
    private static final String FOLDER = "keys";

    ServerKeys {
        authorities = List.copyOf(authorities);
    }

    /** The files of the key that signs tokens, where none is named. */
    static IdentitySource.Pem tokens(Path data) {
        Path folder = data.resolve(FOLDER);
        return new IdentitySource.Pem(
                folder.resolve("tokenkey.pem"), folder.resolve("tokencert.pem"));
    }

    /** The files of the key that issues certificates, where none is named. */
    static IdentitySource.Pem authority(Path data) {
        Path folder = data.resolve(FOLDER);
        return new IdentitySource.Pem(folder.resolve("cakey.pem"), folder.resolve("cacert.pem"));
    }

    static ServerKeys load(Path data, OspConfiguration configuration, Consumer<String> log)
            throws BadOptionException {
        OspConfiguration.KeyFiles files = configuration.tokens().files();
        try {
            IdentitySource source = source(data, files, log);
            List<X509CertificateHolder> others = certificates(files.verify());
            KeyRing ring = KeyRing.of(source.read(), others);
            Optional<SigningIdentity> authority = authority(data, configuration, log);
            List<X509CertificateHolder> authorities =
                    new ArrayList<>(certificates(configuration.devices().authorities()));
            if (authority.isPresent()) {
                authorities.add(authority.get().certificate());
            } else if (Files.exists(authority(data).certificate())) {
                // Nobody enrols any more, but who has done so is still a device.
                authorities.addAll(IdentityFiles.readCertificates(authority(data).certificate()));
            }
            KeySeparation separation = new KeySeparation(authorities);
            for (X509CertificateHolder each : ring.trusted()) {
                separation.check(each);
            }
            return new ServerKeys(new Keys(ring), source, authority, authorities);
        } catch (IdentityException unfit) {
            throw new BadOptionException(String.valueOf(unfit.getMessage()));
        }
    }

    private static List<X509CertificateHolder> certificates(Optional<Path> file)
            throws IdentityException {
        return file.isPresent() ? IdentityFiles.readCertificates(file.get()) : List.of();
    }

    private static IdentitySource source(
            Path data, OspConfiguration.KeyFiles files, Consumer<String> log)
            throws BadOptionException, IdentityException {
        if (files.pkcs12().isPresent() && files.key().isEmpty() && files.certificate().isEmpty()) {
            return new IdentitySource.Pkcs12(
                    files.pkcs12().get(),
                    Secrets.password("token.pkcs12-password-file", files.pkcs12Password()));
        }
        Optional<IdentitySource.Pem> named =
                pair("--token-key and --token-certificate", files.key(), files.certificate());
        if (named.isPresent()) {
            return named.get();
        }
        IdentitySource.Pem own = tokens(data);
        if (!Files.exists(own.key())) {
            IdentityFiles.write(
                    new IdentityGenerator(InstantSource.system()).generate(files.generated()), own);
            log.accept("keys-generated key=" + own.key());
        }
        return own;
    }

    private static Optional<SigningIdentity> authority(
            Path data, OspConfiguration configuration, Consumer<String> log)
            throws BadOptionException, IdentityException {
        OspConfiguration.Enrolment enrolment = configuration.enrolment();
        if (enrolment.accounts().isEmpty()) {
            return Optional.empty();
        }
        Secrets.requirePrivate("enrolment.accounts", enrolment.accounts().get());
        Optional<IdentitySource.Pem> named =
                pair(
                        "enrolment.key and enrolment.certificate",
                        enrolment.key(),
                        enrolment.certificate());
        if (named.isPresent()) {
            return Optional.of(named.get().read());
        }
        IdentitySource.Pem own = authority(data);
        if (!Files.exists(own.key())) {
            IdentityFiles.write(
                    new IdentityGenerator(InstantSource.system())
                            .generateAuthority(configuration.tokens().files().generated()),
                    own);
            log.accept("keys-generated key=" + own.key());
        }
        return Optional.of(own.read());
    }

    private static Optional<IdentitySource.Pem> pair(
            String names, Optional<Path> key, Optional<Path> certificate)
            throws BadOptionException {
        if (key.isPresent() != certificate.isPresent()) {
            throw new BadOptionException(names + " go together");
        }
        return key.isEmpty()
                ? Optional.empty()
                : Optional.of(new IdentitySource.Pem(key.get(), certificate.get()));
    }
}
