package org.lrwp.osp.token;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.bouncycastle.asn1.DERPrintableString;
import org.bouncycastle.asn1.pkcs.EncryptedPrivateKeyInfo;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.util.io.pem.PemObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.osp.testkit.Tokens;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.interfaces.RSAPrivateKey;
import java.time.temporal.ChronoUnit;

final class IdentityFilesTest {
    @TempDir Path folder = Path.of("");

    @Test
    void whatIsWrittenIsReadAgain() throws Exception {
        SigningIdentity identity = Tokens.identity();

        IdentityFiles.write(identity, files(folder.resolve("new/keys")));

        Path key = folder.resolve("new/keys/key.pem");
        assertTrue(Files.readString(key).startsWith("-----BEGIN RSA PRIVATE KEY-----"));
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(key)));
        assertEquals(identity, IdentityFiles.read(key, folder.resolve("new/keys/cert.pem")));
    }

    private static IdentitySource.Pem files(Path folder) {
        return new IdentitySource.Pem(folder.resolve("key.pem"), folder.resolve("cert.pem"));
    }

    @Test
    void existingFilesAreNotReplaced() throws Exception {
        Path certificate = Files.writeString(folder.resolve("cert.pem"), "precious");

        IdentityException refusal =
                assertThrows(
                        IdentityException.class,
                        () -> IdentityFiles.write(Tokens.identity(), files(folder)));

        assertEquals(certificate + " exists and is not replaced", refusal.getMessage());
        assertEquals("precious", Files.readString(certificate));
        assertTrue(Files.notExists(folder.resolve("key.pem")));
    }

    @Test
    void aFolderThatCannotBeMadeIsNamed() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");

        assertRefused(
                file + " cannot be made",
                () -> IdentityFiles.write(Tokens.identity(), files(file)));
    }

    @Test
    void aGeneratedCertificateIsWhatTheCommonClientReads() throws Exception {
        X509CertificateHolder certificate = Tokens.identity().certificate();

        assertEquals(1, certificate.getVersionNumber());
        for (X500Name name : new X500Name[] {certificate.getIssuer(), certificate.getSubject()}) {
            for (RDN part : name.getRDNs()) {
                assertTrue(part.getFirst().getValue() instanceof DERPrintableString);
            }
        }
        assertTrue(
                certificate.isSignatureValid(
                        new JcaContentVerifierProviderBuilder().build(certificate)));
        assertEquals(
                Tokens.NOW.minus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.SECONDS),
                certificate.getNotBefore().toInstant());
    }

    @Test
    void aKeyInThePkcs8FormIsRead() throws Exception {
        Path key = pem("key.pem", new JcaPKCS8Generator(Tokens.identity().key(), null));
        Path certificate = pem("certificate.pem", Tokens.identity().certificate());

        assertEquals(Tokens.identity(), IdentityFiles.read(key, certificate));
    }

    @Test
    void aKeyIsFoundBehindItsCertificate() throws Exception {
        Path both = pem("both.pem", Tokens.identity().certificate(), Tokens.identity().key());

        assertEquals(Tokens.identity(), IdentityFiles.read(both, both));
    }

    @Test
    void aKeyThatOthersMayReadIsRefused() throws Exception {
        Path key = withMode(pem("key.pem", Tokens.identity().key()), "rw-r--r--");

        assertRefused(
                "others than its owner may use " + key + "; set its mode to 600",
                () -> IdentityFiles.read(key, certificate()));
    }

    @Test
    void anEncryptedKeyIsRefused() throws Exception {
        Path traditional =
                secret(
                        "traditional.pem",
                        """
                        -----BEGIN RSA PRIVATE KEY-----
                        Proc-Type: 4,ENCRYPTED
                        DEK-Info: AES-128-CBC,000102030405060708090A0B0C0D0E0F

                        AAECAwQFBgcICQoLDA0ODw==
                        -----END RSA PRIVATE KEY-----
                        """);
        byte[] pkcs8 =
                new EncryptedPrivateKeyInfo(
                                new AlgorithmIdentifier(PKCSObjectIdentifiers.id_PBES2),
                                new byte[16])
                        .getEncoded();
        Path modern = pem("modern.pem", new PemObject("ENCRYPTED PRIVATE KEY", pkcs8));

        for (Path key : new Path[] {traditional, modern}) {
            assertRefused(
                    key + " has an encrypted key; decrypt it first",
                    () -> IdentityFiles.read(key, certificate()));
        }
    }

    @Test
    void aKeyThatIsNeitherRsaNorEcdsaIsRefused() throws Exception {
        Path key = pem("key.pem", KeyPairGenerator.getInstance("Ed25519").generateKeyPair());

        assertRefused(
                key + " has a private key that is neither RSA nor ECDSA",
                () -> IdentityFiles.read(key, certificate()));
    }

    @Test
    void aKeyOnACurveIsWrittenAndReadAgain() throws Exception {
        IdentityFiles.write(Tokens.curve(), files(folder));

        assertEquals(Tokens.curve(), files(folder).read());
    }

    @Test
    void aCurvesCertificateOfAnotherKeyIsRefused() throws Exception {
        SigningIdentity other = new IdentityGenerator(Tokens.CLOCK).generate(KeyKind.ECDSA);

        assertRefused(
                "the certificate does not belong to the key",
                () -> SigningIdentity.of(other.key(), Tokens.curve().certificate()));
        assertRefused(
                "the certificate does not belong to the key",
                () -> SigningIdentity.of(other.key(), Tokens.identity().certificate()));
    }

    @Test
    void aPkcs12FileIsReadWithItsPasswordOnly() throws Exception {
        Path file = folder.resolve("identity.p12");
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry(
                "osp",
                Tokens.identity().key(),
                "geheim".toCharArray(),
                new Certificate[] {
                    new JcaX509CertificateConverter()
                            .getCertificate(Tokens.identity().certificate())
                });
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, "geheim".toCharArray());
        }
        withMode(file, "rw-r-----");
        assertRefused(
                "others than its owner may use " + file + "; set its mode to 600",
                () -> IdentityFiles.readPkcs12(file, "geheim"));
        withMode(file, "rw-------");

        assertEquals(Tokens.identity(), new IdentitySource.Pkcs12(file, "geheim").read());
        assertRefused(
                file + " cannot be read as PKCS #12 with the password given",
                () -> IdentityFiles.readPkcs12(file, "falsch"));
    }

    @Test
    void aShortKeyIsRefused() throws Exception {
        KeyPairGenerator keys = KeyPairGenerator.getInstance("RSA");
        keys.initialize(1_024);
        RSAPrivateKey shortKey = (RSAPrivateKey) keys.generateKeyPair().getPrivate();

        assertRefused(
                "the key is shorter than 2048 bits",
                () -> SigningIdentity.of(shortKey, Tokens.identity().certificate()));
    }

    @Test
    void aCertificateOfAnotherKeyIsRefused() throws Exception {
        SigningIdentity other = new IdentityGenerator(Tokens.CLOCK).generate();
        Path key = pem("key.pem", other.key());
        Path certificate = certificate();

        assertRefused(
                key + " and " + certificate + ": the certificate does not belong to the key",
                () -> IdentityFiles.read(key, certificate));
    }

    @Test
    void filesThatHoldSomethingElseAreRefused() throws Exception {
        Path text = secret("text", "nothing\n");
        Path broken = secret("broken", "-----BEGIN RSA PRIVATE KEY-----\nx\n");
        Path key = pem("key.pem", Tokens.identity().key());
        Path missing = folder.resolve("missing");

        assertRefused(text + " has no private key", () -> IdentityFiles.read(text, text));
        assertRefused(text + " has no certificate", () -> IdentityFiles.read(key, text));
        assertRefused(broken + " cannot be read as PEM", () -> IdentityFiles.read(broken, text));
        assertRefused(missing + " cannot be read as PEM", () -> IdentityFiles.read(key, missing));
    }

    private Path certificate() throws IOException {
        return pem("certificate.pem", Tokens.identity().certificate());
    }

    private Path pem(String name, Object... contents) throws IOException {
        StringWriter pem = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(pem)) {
            for (Object content : contents) {
                writer.writeObject(content);
            }
        }
        return secret(name, pem.toString());
    }

    private Path secret(String name, String text) throws IOException {
        return withMode(Files.writeString(folder.resolve(name), text), "rw-------");
    }

    private static Path withMode(Path file, String mode) throws IOException {
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    private static void assertRefused(String message, Executable action) {
        assertEquals(message, assertThrows(IdentityException.class, action).getMessage());
    }
}
