package org.lrwp.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

class AcmeIssuerTest {
    private static final List<String> NAMES = List.of("a.test", "b.test");

    @TempDir private Path parent;
    private final HttpAnswers answers = new HttpAnswers();
    private final List<Duration> pauses = new ArrayList<>();
    private FakeDirectory directory;

    @BeforeEach
    void start() throws Exception {
        directory = new FakeDirectory();
    }

    @AfterEach
    void stop() {
        directory.close();
    }

    private AcmeIssuer issuer(String... settings) throws Exception {
        return issuer(InstantSource.system(), pauses::add, settings);
    }

    private AcmeIssuer issuer(InstantSource clock, AcmeIssuer.Pause pause, String... settings)
            throws Exception {
        List<String> all = new ArrayList<>(List.of("directory=" + directory.uri()));
        all.addAll(List.of(settings));
        return new AcmeIssuer(
                Settings.config(parent, all.toArray(String[]::new)),
                DirectoryTrust.of(""),
                CertificateFolder.open(parent.resolve("acme")).account(),
                answers,
                pause,
                clock);
    }

    private long requests(String begin) {
        return directory.requests().stream().filter(one -> one.startsWith(begin)).count();
    }

    @Test
    void everyNameIsProvedAndTheCertificateIsForANewKey() throws Exception {
        List<String> shown = new ArrayList<>();
        directory.onTrigger(
                () -> NAMES.forEach(name -> shown.add(answers.find(FakeDirectory.token(name)))));

        CertifiedKey pair = issuer("contact=who@a.test").issue();

        assertTrue(pair.isFor(NAMES));
        assertEquals(4, shown.size());
        shown.forEach(one -> assertTrue(one.startsWith("token-for-this-test-of-"), one));
        // Long enough for whoever watches the answers.
        assertEquals(List.of(Duration.ofSeconds(1)), pauses);
        NAMES.forEach(name -> assertNull(answers.find(FakeDirectory.token(name))));
        assertEquals(1, requests("/account "));
        String account =
                directory.requests().stream()
                        .filter(one -> one.startsWith("/account "))
                        .findFirst()
                        .orElseThrow();
        assertTrue(account.contains("mailto:who@a.test"), account);
        assertTrue(account.contains("\"termsOfServiceAgreed\":true"), account);
    }

    @Test
    void namesThatWereProvedBeforeAreNotProvedAgain() throws Exception {
        directory.fail(FakeDirectory.Fault.PROVED_BEFORE);

        assertNotNull(issuer().issue());

        assertEquals(0, requests("/challenge/"));
        assertEquals(List.of(), pauses);
    }

    @ParameterizedTest
    @CsvSource({
        "NO_SUCH_CHALLENGE, a.test: the directory does not offer http-01",
        "OTHER_NAME, the directory asks for a name that was not ordered",
        "NAME_NOT_PROVED, 'a.test was not proved: urn:ietf:params:acme:error:connection: refused"
                + " by 192.0.2.1'",
        "NAME_NOT_PROVED_WITHOUT_REASON, a.test was not proved",
        "ORDER_INVALID, 'the order is invalid: urn:ietf:params:acme:error:caa: not allowed'",
        "BUSY_WITHOUT_TIME, 'refused: urn:ietf:params:acme:error:rateLimited: too many orders'",
        "OTHER_KEY, key and certificate do not belong together"
    })
    void reasonOfAFailureIsNamedAndNoAnswerStaysBehind(FakeDirectory.Fault fault, String reason)
            throws Exception {
        directory.fail(fault);
        AcmeIssuer issuer = issuer();

        var e = assertThrows(Issuer.RefusedException.class, issuer::issue);

        assertTrue(String.valueOf(e.getMessage()).contains(reason), e.getMessage());
        assertEquals(Duration.ZERO, e.retryAfter());
        NAMES.forEach(name -> assertNull(answers.find(FakeDirectory.token(name))));
    }

    @Test
    void timeThatTheDirectoryAsksForIsPassedOn() throws Exception {
        directory.fail(FakeDirectory.Fault.RATE_LIMITED);
        AcmeIssuer issuer = issuer();

        var e = assertThrows(Issuer.RefusedException.class, issuer::issue);

        assertTrue(e.retryAfter().compareTo(Duration.ofMinutes(119)) > 0, "" + e.retryAfter());
        assertTrue(e.retryAfter().compareTo(Duration.ofMinutes(121)) < 0, "" + e.retryAfter());
    }

    @Test
    void orderThatTakesTooLongFailsAndNamesTheKey() throws Exception {
        SetClock clock = new SetClock(Instant.now());
        AcmeIssuer issuer = issuer(clock, time -> clock.jump(Duration.ofMinutes(6)));

        var e = assertThrows(Issuer.RefusedException.class, issuer::issue);

        assertTrue(String.valueOf(e.getMessage()).contains("order-timeout"), e.getMessage());
        assertNull(answers.find(FakeDirectory.token("a.test")));
    }

    @Test
    @Timeout(30)
    void directoryThatStallsInsideAnAnswerFailsTheOrderInTimeAndNamesTheKey() throws Exception {
        directory.fail(FakeDirectory.Fault.STALLED_CONTENT);
        AcmeIssuer issuer = issuer("request-timeout=300ms");

        var e = assertThrows(Issuer.RefusedException.class, issuer::issue);

        assertTrue(
                String.valueOf(e.getMessage()).contains("request-timeout = 300ms"), e.getMessage());
    }

    @Test
    @Timeout(30)
    void directoryThatStallsInsideAnAnswerDoesNotHoldTheQuestionForItsTerms() throws Exception {
        directory.fail(FakeDirectory.Fault.STALLED_CONTENT);
        AcmeConfig config =
                Settings.config(parent, "directory=" + directory.uri(), "request-timeout=300ms");

        assertEquals(Optional.empty(), AcmeIssuer.terms(config, DirectoryTrust.of("")));
    }

    @Test
    void answerOfMoreThanAMebibyteFailsTheOrder() throws Exception {
        directory.fail(FakeDirectory.Fault.ENDLESS_CONTENT);
        AcmeIssuer issuer = issuer();

        var e = assertThrows(Issuer.RefusedException.class, issuer::issue);

        assertTrue(String.valueOf(e.getMessage()).contains("1048576 bytes"), e.getMessage());
    }

    @Test
    void interruptedPauseEndsTheOrderAndRemovesTheAnswers() throws Exception {
        AcmeIssuer issuer =
                issuer(
                        InstantSource.system(),
                        time -> {
                            throw new InterruptedException();
                        });

        assertThrows(InterruptedException.class, issuer::issue);
        assertNull(answers.find(FakeDirectory.token("a.test")));
        assertEquals(0, requests("/challenge/"));
    }

    @Test
    void whatIsNoDirectoryIsAFailureWithAReason() throws Exception {
        directory.fail(FakeDirectory.Fault.NO_JSON);
        AcmeIssuer issuer = issuer();
        assertThrows(Issuer.RefusedException.class, issuer::issue);

        AcmeIssuer nobody = issuer();
        directory.close();
        var e = assertThrows(Issuer.RefusedException.class, nobody::issue);
        assertFalse(String.valueOf(e.getMessage()).isBlank());
    }
}
