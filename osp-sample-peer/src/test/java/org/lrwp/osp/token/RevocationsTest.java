package org.lrwp.osp.token;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.bouncycastle.cert.X509CertificateHolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.osp.message.Party;
import org.lrwp.osp.message.RefusedException;
import org.lrwp.osp.message.Status;
import org.lrwp.osp.secure.DeviceTrust;
import org.lrwp.osp.secure.SignedMessages;
import org.lrwp.osp.secure.SignedMessages.SignedMessage;
import org.lrwp.osp.testkit.Devices;
import org.lrwp.osp.testkit.Tokens;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;

/** Certificates that do not count any more. */
final class RevocationsTest {
    @TempDir Path folder = Path.of("");

    private final List<String> log = new ArrayList<>();

    @Test
    void aListIsReadAsOpensslPrintsSerialNumbers() throws Exception {
        X509CertificateHolder seven = Devices.device("1000", "7").certificate();
        X509CertificateHolder eight = Devices.device("1000", "8").certificate();
        X509CertificateHolder nine = Devices.device("1000", "9").certificate();

        Revocations revoked =
                Revocations.of(
                        Optional.of(
                                write(
                                        "# stolen\n\nserial="
                                                + serial(seven)
                                                + " # Tuesday\n00:"
                                                + serial(eight).toLowerCase(Locale.ROOT))),
                        log::add);

        assertTrue(revoked.has(seven));
        assertTrue(revoked.has(eight));
        assertFalse(revoked.has(nine));
    }

    @Test
    void theListIsReadAgainAndOneThatCannotBeUsedChangesNothing() throws Exception {
        X509CertificateHolder seven = Devices.device("1000", "7").certificate();
        Path file = write("");
        Revocations revoked = Revocations.of(Optional.of(file), log::add);

        write(serial(seven) + "\n");
        revoked.look();
        assertFalse(revoked.has(seven), "it is left alone while it is written");
        revoked.look();
        assertTrue(revoked.has(seven));
        write("nobody knows\n");
        revoked.look();
        revoked.look();
        assertTrue(revoked.has(seven));
        Files.delete(file);
        revoked.look();
        revoked.look();

        assertTrue(revoked.has(seven));
        assertEquals("revocations-read certificates=1", log.getFirst());
        assertEquals(
                "revocations-kept reason=\"" + file + ":1: 'nobody knows' is no serial number\"",
                log.get(1));
        assertEquals("revocations-kept reason=\"" + file + " cannot be read\"", log.get(2));
    }

    @Test
    void aListThatCannotBeUsedIsNoStart() throws Exception {
        Path file = write("12 34");

        assertEquals(
                file + ":1: '12 34' is no serial number",
                assertThrows(
                                IdentityException.class,
                                () -> Revocations.of(Optional.of(file), log::add))
                        .getMessage());
    }

    @Test
    void aDeviceThatWasRevokedSignsNothingAnyMore() throws Exception {
        SigningIdentity seven = Devices.device("1000", "7");
        Revocations revoked =
                Revocations.of(Optional.of(write(serial(seven.certificate()))), log::add);
        SignedMessage message =
                Devices.form(seven, Tokens.identity())
                        .sign("<Message/>".getBytes(StandardCharsets.US_ASCII));
        SignedMessages server =
                new SignedMessages(
                        new Keys(KeyRing.of(Tokens.identity(), List.of())),
                        new DeviceTrust(List.of(Devices.authority().certificate()), revoked),
                        CryptoProvider.JDK.provider(),
                        Tokens.CLOCK,
                        new Random(1));

        assertEquals(
                Status.CERTIFICATE_REVOKED,
                assertThrows(
                                RefusedException.class,
                                () -> server.open(message.contentType(), message.body()))
                        .status());
    }

    @Test
    void aKeyForTokensThatWasRevokedSignsNoTokensAnyMore() throws Exception {
        Keys keys = new Keys(KeyRing.of(Tokens.curve(), List.of()));
        Revocations revoked =
                Revocations.of(Optional.of(write(serial(Tokens.curve().certificate()))), log::add);
        TokenTerms terms =
                new TokenTerms(
                        Optional.empty(),
                        new Party("e164", "1678"),
                        "MQ==",
                        Tokens.NOW,
                        Tokens.NOW,
                        "1",
                        1);
        try (SigningPool pool = new SigningPool(1, 1)) {
            byte[] token =
                    Base64.getDecoder()
                            .decode(
                                    new TokenIssuer(
                                                    keys,
                                                    CryptoProvider.JDK.provider(),
                                                    pool,
                                                    new Random(1))
                                            .issue(List.of(terms), TokenClass.USUAL)
                                            .getFirst());

            assertEquals(
                    Status.CERTIFICATE_REVOKED,
                    assertThrows(
                                    RefusedException.class,
                                    () ->
                                            new TokenVerifier(keys, revoked, false)
                                                    .verified(token, Tokens.NOW))
                            .status());
        }
    }

    private static String serial(X509CertificateHolder certificate) {
        return certificate.getSerialNumber().toString(16).toUpperCase(Locale.ROOT);
    }

    private Path write(String text) throws Exception {
        return Files.writeString(folder.resolve("revoked"), text);
    }
}
