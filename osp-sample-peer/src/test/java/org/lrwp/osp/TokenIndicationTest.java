package org.lrwp.osp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.lrwp.osp.OspServerFixture.authorisation;
import static org.lrwp.osp.OspServerFixture.code;
import static org.lrwp.osp.OspServerFixture.message;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.osp.authorisation.TokenCheck;
import org.lrwp.osp.authorisation.TokenTimes;
import org.lrwp.osp.message.Element;
import org.lrwp.osp.message.MessageReader;
import org.lrwp.osp.message.Party;
import org.lrwp.osp.message.RefusedException;
import org.lrwp.osp.testkit.Devices;
import org.lrwp.osp.testkit.TakenInMemory;
import org.lrwp.osp.testkit.Tokens;
import org.lrwp.osp.token.CryptoProvider;
import org.lrwp.osp.token.KeyRing;
import org.lrwp.osp.token.Keys;
import org.lrwp.osp.token.SigningPool;
import org.lrwp.osp.token.TokenClass;
import org.lrwp.osp.token.TokenIssuer;
import org.lrwp.osp.token.TokenTerms;
import org.lrwp.osp.token.TokenVerifier;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A terminating gateway asks whether a token counts. */
final class TokenIndicationTest {
    private final OspServerFixture server = new OspServerFixture();

    @Test
    void aTokenOfOursForThisCallIsConfirmedWithItsTime() throws Exception {
        Element answer = server.onlyAnswer(indication("YQ==", "14048724799", "1678", token()));

        assertEquals("AuthorizationConfirmation", answer.name());
        assertEquals("200", code(answer));
        assertEquals("2026-11-20T07:23:35Z", answer.childText("ValidAfter").orElse(""));
        assertEquals("2026-11-20T07:38:35Z", answer.childText("ValidUntil").orElse(""));
    }

    @Test
    void aTokenIsTakenOnce() throws Exception {
        String token = token();

        Element first = server.onlyAnswer(indication("YQ==", "14048724799", "1678", token));
        Element again =
                server.onlyAnswer(
                        indication("YQ==", "14048724799", "1678", token)
                                .replace("messageId='31'", "messageId='32'"));

        assertEquals("200", code(first));
        assertEquals("401", code(again));
        assertEquals(
                "Unauthorized: the token was taken before", OspServerFixture.description(again));
        assertEquals(
                "200", code(server.onlyAnswer(indication("YQ==", "14048724799", "1678", token()))));
    }

    @Test
    void theSameMessageWithATokenIsConfirmedAgainAsItWas() throws Exception {
        String indication = indication("YQ==", "14048724799", "1678", token());

        String first = OspServerFixture.text(server.post(indication));

        assertEquals(first, OspServerFixture.text(server.post(indication)));
    }

    @Test
    void theTokenOfAnotherDestinationOfTheSameCallIsTakenToo() throws Exception {
        List<Element> destinations =
                server.onlyAnswer(authorisation("3678", 1, "")).children("Destination");

        assertEquals(3, destinations.size());
        for (Element each : destinations) {
            String token = each.childText("Token").orElse("");
            assertEquals(
                    "200",
                    code(server.onlyAnswer(indication("YQ==", "14048724799", "3678", token))));
        }
    }

    /** It is signed, and its certificate is of the authority whose devices may sign messages. */
    @Test
    void aDevicesOwnTokenIsRefused() throws Exception {
        Keys own = new Keys(KeyRing.of(Devices.device("1000", "7"), List.of()));
        TokenTerms terms =
                new TokenTerms(
                        Optional.of(new Party("e164", "14048724799")),
                        new Party("e164", "1678"),
                        "YQ==",
                        Tokens.NOW,
                        Tokens.NOW.plusSeconds(60),
                        "4711",
                        60);
        try (SigningPool pool = new SigningPool(1, 1)) {
            String token =
                    new TokenIssuer(own, CryptoProvider.JDK.provider(), pool, new Random(1))
                            .issue(List.of(terms), TokenClass.parse("xml-certificate"))
                            .getFirst();

            assertEquals(
                    "423",
                    code(server.onlyAnswer(indication("YQ==", "14048724799", "1678", token))));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "Yg==, 14048724799, 1678, 401",
        "YQ==, 999, 1678, 401",
        "YQ==, 14048724799, 1679, 401",
        "YQ==, 14048724799, +1678, 200"
    })
    void aTokenOfAnotherCallIsRefused(String callId, String calling, String called, String code)
            throws Exception {
        assertEquals(code, code(server.onlyAnswer(indication(callId, calling, called, token()))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "%%%", "AAAA", "PFRva2VuSW5mby8+"})
    void whatIsNoTokenIsRefusedByStatus(String token) throws Exception {
        String code = code(server.onlyAnswer(indication("YQ==", "1", "1678", token)));

        assertEquals(token.isEmpty() ? "400" : "421", code);
    }

    @ParameterizedTest
    @CsvSource({"-PT6M1S, 531", "-PT6M, 200", "PT11M, 200", "PT11M1S, 530"})
    void aTokenOutOfItsTimeIsRefusedBeyondTheSkew(Duration passed, int code) throws Exception {
        TokenCheck check =
                new TokenCheck(
                        new TokenVerifier(
                                        new Keys(KeyRing.of(Tokens.identity(), List.of())),
                                        Devices.noneRevoked(),
                                        false)
                                ::verified,
                        new TakenInMemory(),
                        TokenTimes.USUAL,
                        InstantSource.fixed(Tokens.NOW.minusMillis(250).plus(passed)));
        Element component =
                new MessageReader()
                        .read(
                                indication("YQ==", "14048724799", "1678", token())
                                        .getBytes(StandardCharsets.UTF_8))
                        .components()
                        .getFirst();

        int answered;
        try {
            answered = Integer.parseInt(code(check.confirm(component)));
        } catch (RefusedException refusal) {
            answered = refusal.status().code();
        }

        assertEquals(code, answered);
    }

    private String token() throws Exception {
        return server.onlyAnswer(authorisation("1678", 1, ""))
                .children("Destination")
                .getFirst()
                .childText("Token")
                .orElse("");
    }

    private static String indication(String callId, String calling, String called, String token) {
        return message(
                "<AuthorizationIndication componentId='9'><Role>destination</Role>"
                        + "<CallId encoding='base64'>%s</CallId><SourceInfo type='e164'>%s"
                                .formatted(callId, calling)
                        + "</SourceInfo><DestinationInfo type='e164'>%s</DestinationInfo>"
                                .formatted(called)
                        + "<Token encoding='base64'>%s</Token></AuthorizationIndication>"
                                .formatted(token));
    }
}
