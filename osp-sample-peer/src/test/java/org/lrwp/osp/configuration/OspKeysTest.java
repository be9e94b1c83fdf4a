package org.lrwp.osp.configuration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.osp.authorisation.TokenTimes;
import org.lrwp.osp.message.MessageLimits;
import org.lrwp.osp.token.TokenClass;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.testkit.Configurations;
import org.lrwp.testkit.KeysDocs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

final class OspKeysTest {
    @TempDir Path folder = Path.of("");

    @Test
    void tableOfKeysIsTrue() throws Exception {
        KeysDocs.check(Path.of("../docs/osp.md"), OspKeys.all());
    }

    @Test
    void defaultsAreWhatThePartsCallUsual() {
        OspConfiguration usual = OspConfiguration.usual();

        assertEquals(MessageLimits.USUAL, usual.messages().counts());
        assertEquals(TokenTimes.USUAL, usual.tokens().times());
        assertEquals(TokenClass.USUAL, usual.tokens().kind());
        assertTrue(usual.tokens().signing().threads() >= 1);
    }

    /** Raised, they would let what was taken and forgotten be taken again. */
    @Test
    void howLongThingsAreRememberedDoesNotChangeWhileTheServerRuns() {
        assertFalse(OspKeys.CLOCK_SKEW.isLive());
        assertFalse(OspKeys.MAX_AGE.isLive());
    }

    @Test
    void namesInTheFileStartFromItsFolderAndOthersDoNot() throws Exception {
        Path file =
                Files.writeString(folder.resolve("osp"), "enrolment.accounts = who\ntoken.key =\n");

        OspConfiguration read = OspConfiguration.read(file);
        OspConfiguration said =
                OspConfiguration.of(Configurations.of(OspKeys.all(), "routes.folder=here"));

        assertEquals(Optional.of(folder.resolve("who")), read.enrolment().accounts());
        assertEquals(Optional.empty(), read.tokens().files().key());
        assertEquals(Optional.of(Path.of("here")), said.routes().folder());
        assertFalse(said.routes().inDatabase());
    }

    @ParameterizedTest
    @CsvSource({
        "1, PT1S",
        "PT0.1S, PT0.1S",
        "90, PT1M30S",
        "PT2M, PT2M",
        "pt30m, PT30M",
        "86400, PT24H"
    })
    void aTimeIsSecondsOrAsIso8601Says(String text, Duration interval) throws Exception {
        assertEquals(interval, set("report-interval=" + text).watching().interval());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "report-interval=0",
                "report-interval=PT0.09S",
                "report-interval=-5",
                "report-interval=86401",
                "report-interval=P2D",
                "report-interval=1m",
                "report-interval=",
                "report-interval=PT999999999999999H",
                "token.signing-threads=0",
                "token.signing-threads=all",
                "token.kind=ascii-unsigned-certificate",
                "messages.max-size=1000",
                "cdr.journal-size=3GB",
                "cdr.database=jdbc:postgresql://db/osp?user=osp&password=hush",
                "cdr.database=jdbc:postgresql://osp:hush@db/osp",
                "admin.port=65536"
            })
    void whatIsNotAllowedIsRefusedWithItsName(String setting) {
        BadConfigurationException refusal =
                assertThrows(BadConfigurationException.class, () -> set(setting));

        assertTrue(
                String.valueOf(refusal.getMessage()).startsWith(setting.replaceFirst("=.*", "")),
                refusal::getMessage);
        // Whoever reads the log shall not read the password.
        assertFalse(String.valueOf(refusal.getMessage()).contains("hush"), refusal::getMessage);
    }

    @Test
    void wordsAreOfAnyCaseAndSizesHaveUnits() throws Exception {
        assertEquals(
                OspConfiguration.SignedForm.REQUIRE, set("messages.signed=Require").signedForm());
        assertEquals(64 << 20, set("cdr.journal-size=64MiB").records().journal());
        assertEquals(2, set("token.signing-threads=2").tokens().signing().threads());
    }

    private static OspConfiguration set(String setting) throws BadConfigurationException {
        return OspConfiguration.of(Configurations.of(OspKeys.all(), setting));
    }
}
