package org.lrwp.osp.token;

import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.openssl.PEMEncryptedKeyPair;
import org.bouncycastle.openssl.PEMException;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;
import org.bouncycastle.util.io.pem.PemGenerationException;
import org.lrwp.osp.file.PrivateFiles;
import org.lrwp.runtime.operation.SecretFile;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Reads identities from PEM files and writes them. */
public final class IdentityFiles {
    private IdentityFiles() {}

    /**
     * Reads an identity.
     *
     * @param keyFile a private key, RSA or ECDSA, not encrypted, in the traditional or the PKCS #8
     *     form
     * @param certificateFile its certificate
     * @return the identity
     * @throws IdentityException when a file cannot be read or the two do not belong together; the
     *     message names the file
     */
    public static SigningIdentity read(Path keyFile, Path certificateFile)
            throws IdentityException {
        PrivateKey key = readKey(keyFile);
        X509CertificateHolder certificate = readCertificate(certificateFile);
        try {
            return SigningIdentity.of(key, certificate);
        } catch (IdentityException unfit) {
            throw new IdentityException(
                    keyFile + " and " + certificateFile + ": " + unfit.getMessage(), unfit);
        }
    }

    /**
     * Writes an identity into files that only their owner may read. Never replaces a file.
     *
     * @param identity the identity
     * @param files where to; their folders are made when they do not exist
     * @throws IdentityException when a file exists or cannot be written; the message names it
     */
    public static void write(SigningIdentity identity, IdentitySource.Pem files)
            throws IdentityException {
        for (Path file : files.files()) {
            if (Files.exists(file)) {
                throw new IdentityException(file + " exists and is not replaced");
            }
        }
        for (Path file : files.files()) {
            try {
                PrivateFiles.makeFolderOf(file);
            } catch (IOException failed) {
                throw new IdentityException(file.getParent() + " cannot be made", failed);
            }
        }
        writeNew(files.key(), written(identity));
        writeNew(files.certificate(), identity.certificate());
    }

    private static void requirePrivate(Path file, String form) throws IdentityException {
        try {
            if (!SecretFile.isPrivate(file)) {
                throw new IdentityException(
                        "others than its owner may use " + file + "; set its mode to 600");
            }
        } catch (IOException unreadable) {
            throw new IdentityException(file + " cannot be read as " + form, unreadable);
        }
    }

    /** Traditional for RSA, as the common client wants it; else PKCS #8, which names the curve. */
    private static Object written(SigningIdentity identity) throws IdentityException {
        try {
            return identity.isRsa()
                    ? identity.key()
                    : new JcaPKCS8Generator(identity.key(), null).generate();
        } catch (PemGenerationException impossible) {
            throw new IdentityException("the key cannot be written", impossible);
        }
    }

    private static PrivateKey readKey(Path file) throws IdentityException {
        requirePrivate(file, "PEM");
        try (PEMParser parser = new PEMParser(Files.newBufferedReader(file))) {
            for (Object each = parser.readObject(); each != null; each = parser.readObject()) {
                switch (each) {
                    case PEMKeyPair pair -> {
                        return usable(pair.getPrivateKeyInfo(), file);
                    }
                    case PrivateKeyInfo info -> {
                        return usable(info, file);
                    }
                    case PEMEncryptedKeyPair ignored -> throw encrypted(file);
                    case PKCS8EncryptedPrivateKeyInfo ignored -> throw encrypted(file);
                    default -> {
                        // A certificate or a curve's parameters may stand before the key.
                    }
                }
            }
        } catch (IOException unreadable) {
            throw new IdentityException(file + " cannot be read as PEM", unreadable);
        }
        throw new IdentityException(file + " has no private key");
    }

    private static PrivateKey usable(PrivateKeyInfo info, Path file)
            throws PEMException, IdentityException {
        ASN1ObjectIdentifier algorithm = info.getPrivateKeyAlgorithm().getAlgorithm();
        if (algorithm.equals(PKCSObjectIdentifiers.rsaEncryption)
                || algorithm.equals(X9ObjectIdentifiers.id_ecPublicKey)) {
            return new JcaPEMKeyConverter().getPrivateKey(info);
        }
        throw new IdentityException(file + " has a private key that is neither RSA nor ECDSA");
    }

    private static IdentityException encrypted(Path file) {
        return new IdentityException(file + " has an encrypted key; decrypt it first");
    }

    private static X509CertificateHolder readCertificate(Path file) throws IdentityException {
        return readCertificates(file).getFirst();
    }

    /**
     * Reads the certificates of a PEM file.
     *
     * @param file the file
     * @return the certificates in their order, at least one
     * @throws IdentityException when it cannot be read or has none; the message names the file
     */
    public static List<X509CertificateHolder> readCertificates(Path file) throws IdentityException {
        List<X509CertificateHolder> certificates = new ArrayList<>();
        try (PEMParser parser = new PEMParser(Files.newBufferedReader(file))) {
            for (Object each = parser.readObject(); each != null; each = parser.readObject()) {
                if (each instanceof X509CertificateHolder certificate) {
                    certificates.add(certificate);
                }
            }
        } catch (IOException unreadable) {
            throw new IdentityException(file + " cannot be read as PEM", unreadable);
        }
        if (certificates.isEmpty()) {
            throw new IdentityException(file + " has no certificate");
        }
        return certificates;
    }

    /**
     * Reads an identity from a PKCS #12 file: its first private key and that key's certificate.
     *
     * @param file the file
     * @param password its password
     * @return the identity
     * @throws IdentityException when it cannot be read, with that password, or has no key
     */
    public static SigningIdentity readPkcs12(Path file, String password) throws IdentityException {
        requirePrivate(file, "PKCS #12");
        try (InputStream bytes = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            char[] secret = password.toCharArray();
            store.load(bytes, secret);
            for (String alias : Collections.list(store.aliases())) {
                Certificate certificate = store.getCertificate(alias);
                if (store.getKey(alias, secret) instanceof PrivateKey key && certificate != null) {
                    return SigningIdentity.of(
                            key, new X509CertificateHolder(certificate.getEncoded()));
                }
            }
        } catch (IOException | GeneralSecurityException unreadable) {
            throw new IdentityException(
                    file + " cannot be read as PKCS #12 with the password given", unreadable);
        } catch (IdentityException unfit) {
            throw new IdentityException(file + ": " + unfit.getMessage(), unfit);
        }
        throw new IdentityException(file + " has no private key with a certificate");
    }

    private static void writeNew(Path file, Object content) throws IdentityException {
        try {
            StringWriter pem = new StringWriter();
            try (JcaPEMWriter writer = new JcaPEMWriter(pem)) {
                writer.writeObject(content);
            }
            PrivateFiles.create(file);
            Files.write(
                    file,
                    pem.toString().getBytes(StandardCharsets.US_ASCII),
                    StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException exists) {
            throw new IdentityException(file + " exists and is not replaced", exists);
        } catch (IOException failed) {
            throw new IdentityException(file + " cannot be written", failed);
        }
    }
}
