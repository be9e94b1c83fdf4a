package org.lrwp.osp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.osp.configuration.OspConfiguration;
import org.lrwp.osp.configuration.OspKeys;
import org.lrwp.osp.testkit.Devices;
import org.lrwp.osp.testkit.Tokens;
import org.lrwp.osp.token.IdentityFiles;
import org.lrwp.osp.token.IdentityGenerator;
import org.lrwp.osp.token.IdentitySource;
import org.lrwp.osp.token.KeyKind;
import org.lrwp.osp.token.KeyRotation;
import org.lrwp.osp.token.KeySeparation;
import org.lrwp.osp.token.SigningIdentity;
import org.lrwp.runtime.BadOptionException;
import org.lrwp.testkit.Configurations;

import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.List;

/** Tokens and certificates are signed by keys of their own. */
final class ServerKeysTest {
    @TempDir Path folder = Path.of("");

    private final List<String> log = new ArrayList<>();

    @Test
    void theFirstStartMakesAKeyForEachPurpose() throws Exception {
        ServerKeys keys = load("token.generate=ecdsa", "enrolment.accounts=accounts");

        SigningIdentity authority = keys.authority().orElseThrow();
        assertNotEquals(keys.keys().ring().signer(), authority);
        assertNotEquals(
                keys.keys().ring().signer().certificate().getSubject(),
                authority.certificate().getSubject());
        assertEquals(List.of(authority.certificate()), keys.authorities());
        assertEquals(2, log.size());
    }

    @Test
    void withoutEnrolmentThereIsNoAuthorityButItsDevicesStayDevices() throws Exception {
        assertTrue(load("token.generate=ecdsa").authorities().isEmpty());
        var issued = load("token.generate=ecdsa", "enrolment.accounts=accounts").authorities();

        ServerKeys later = load("token.generate=ecdsa");

        assertTrue(later.authority().isEmpty());
        assertEquals(issued, later.authorities());
    }

    @Test
    void oneKeyForBothIsNoStart() throws Exception {
        IdentitySource.Pem one =
                write("one", new IdentityGenerator(Tokens.CLOCK).generate(KeyKind.ECDSA));

        assertRefused(
                "the key of the tokens is that of an authority for devices; each needs its own",
                "token.key=" + one.key(),
                "token.certificate=" + one.certificate(),
                "enrolment.accounts=accounts",
                "enrolment.key=" + one.key(),
                "enrolment.certificate=" + one.certificate());
        assertRefused(
                "the key of the tokens is that of an authority for devices; each needs its own",
                "token.key=" + one.key(),
                "token.certificate=" + one.certificate(),
                "devices.authorities=" + one.certificate());
    }

    @Test
    void aTokensCertificateFromTheAuthorityIsNoStart() throws Exception {
        KeyPairGenerator keys = KeyPairGenerator.getInstance("EC");
        keys.initialize(256);
        IdentitySource.Pem tokens =
                write(
                        "t",
                        Devices.device("CN=tokens,O=1", keys.generateKeyPair(), "SHA256withECDSA"));
        Path authority = certificate("ca.pem", Devices.authority());
        String refusal =
                "the certificate of the tokens is issued by an authority for devices: gateways"
                        + " would take tokens that a device has signed";

        assertRefused(
                refusal,
                "token.key=" + tokens.key(),
                "token.certificate=" + tokens.certificate(),
                "devices.authorities=" + authority);
        assertRefused(
                refusal,
                "token.generate=ecdsa",
                "token.verify-certificates=" + tokens.certificate(),
                "devices.authorities=" + authority);
    }

    @Test
    void aRotationToTheAuthoritysKeyIsRefused() throws Exception {
        ServerKeys keys = load("token.generate=ecdsa", "enrolment.accounts=accounts");
        KeyRotation rotation =
                new KeyRotation(
                        keys.source(),
                        keys.keys(),
                        new KeySeparation(keys.authorities()),
                        log::add);
        SigningIdentity before = keys.keys().ring().signer();

        replace(ServerKeys.authority(folder).key(), ServerKeys.tokens(folder).key());
        replace(
                ServerKeys.authority(folder).certificate(),
                ServerKeys.tokens(folder).certificate());
        rotation.look();
        rotation.look();

        assertEquals(before, keys.keys().ring().signer());
        assertTrue(
                log.getLast().startsWith("key-not-rotated reason=\"the key of the"), log::toString);
    }

    @Test
    void namesOfAKeyAndItsCertificateGoTogether() throws Exception {
        assertRefused("--token-key and --token-certificate go together", "token.key=k.pem");
        assertRefused(
                "enrolment.key and enrolment.certificate go together",
                "token.generate=ecdsa",
                "enrolment.accounts=a",
                "enrolment.key=k.pem");
    }

    private void assertRefused(String message, String... settings) {
        assertEquals(
                message, assertThrows(BadOptionException.class, () -> load(settings)).getMessage());
    }

    private ServerKeys load(String... settings) throws Exception {
        return ServerKeys.load(
                folder, OspConfiguration.of(Configurations.of(OspKeys.all(), settings)), log::add);
    }

    private IdentitySource.Pem write(String name, SigningIdentity identity) throws Exception {
        IdentitySource.Pem files =
                new IdentitySource.Pem(
                        folder.resolve(name + ".key"), folder.resolve(name + ".pem"));
        IdentityFiles.write(identity, files);
        return files;
    }

    private Path certificate(String name, SigningIdentity identity) throws Exception {
        Path file = folder.resolve(name);
        try (Writer out = Files.newBufferedWriter(file);
                JcaPEMWriter pem = new JcaPEMWriter(out)) {
            pem.writeObject(identity.certificate());
        }
        return file;
    }

    private static void replace(Path from, Path to) throws Exception {
        Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
}
