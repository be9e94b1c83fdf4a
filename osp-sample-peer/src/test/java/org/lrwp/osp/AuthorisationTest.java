package org.lrwp.osp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.osp.OspServerFixture.authorisation;
import static org.lrwp.osp.OspServerFixture.code;
import static org.lrwp.osp.OspServerFixture.description;
import static org.lrwp.osp.OspServerFixture.message;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.osp.configuration.OspConfiguration;
import org.lrwp.osp.message.Element;
import org.lrwp.osp.message.MessageReader;
import org.lrwp.osp.routing.BadTablesException;
import org.lrwp.osp.routing.CsvFolder;
import org.lrwp.osp.routing.RoutingDesk;
import org.lrwp.osp.testkit.DemoTables;
import org.lrwp.osp.testkit.Tokens;
import org.lrwp.osp.testkit.Vectors;
import org.lrwp.osp.token.KeyRing;
import org.lrwp.osp.token.Keys;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;

final class AuthorisationTest {
    private final OspServerFixture server = new OspServerFixture();

    @ParameterizedTest
    @CsvSource({"1, 1", "2992, 2", "8678, 8", "+3678, 3", "sip:4678@osp.example, 4", "tel:+5, 5"})
    void theFirstDigitIsTheNumberOfDestinations(String called, int count) throws Exception {
        Element answer = server.onlyAnswer(authorisation(called, 8, ""));

        List<Element> destinations = answer.children("Destination");
        assertEquals(count, destinations.size());
        assertEquals(
                "[%1$d.%1$d.%1$d.%1$d]:5060".formatted(count),
                destinations.getLast().childText("DestinationSignalAddress").orElse(""));
    }

    @ParameterizedTest
    @CsvSource({"0892, 403", "9, 404", "anna, 404", "sip:, 404", "+, 404"})
    void callsThatAreNotToBeMadeAreRefusedByStatus(String called, String code) throws Exception {
        Element answer = server.onlyAnswer(authorisation(called, 1, ""));

        assertEquals(code, code(answer));
        assertEquals(List.of(), answer.children("Destination"));
        assertEquals("30", answer.attribute("componentId").orElse(""));
        assertTrue(server.totals().contains("authorisations=0"), server::totals);
        assertTrue(server.totals().contains("refused=1"), server::totals);
    }

    @Test
    void destinationsAreCappedByTheClientsMaximum() throws Exception {
        String maximum = "<MaximumDestinations>\n3 </MaximumDestinations>";

        Element answer = server.onlyAnswer(authorisation("8678", 8, maximum));

        assertEquals(3, answer.children("Destination").size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "many", "99999999999"})
    void aMaximumThatIsNoNumberOfDestinationsIsABadRequest(String maximum) throws Exception {
        Element answer =
                server.onlyAnswer(
                        authorisation(
                                "1678",
                                1,
                                "<MaximumDestinations>" + maximum + "</MaximumDestinations>"));

        assertEquals("400", code(answer));
    }

    @Test
    void destinationIGetsCallIdI() throws Exception {
        Element answer = server.onlyAnswer(Vectors.body("deb413-call/001-AuthorizationRequest"));
        Element many = server.onlyAnswer(authorisation("3678", 8, ""));

        assertEquals(List.of("MQ=="), callIds(answer));
        assertEquals(List.of("YQ==", "Yg==", "Yw=="), callIds(many));
    }

    @Test
    void theOnlyCallIdIsForAllDestinations() throws Exception {
        assertEquals(
                List.of("YQ==", "YQ==", "YQ=="),
                callIds(server.onlyAnswer(authorisation("3678", 1, ""))));
    }

    @Test
    void thereAreNoMoreDestinationsThanCallIds() throws Exception {
        assertEquals(
                List.of("YQ==", "Yg=="), callIds(server.onlyAnswer(authorisation("3678", 2, ""))));
    }

    @Test
    void aTokenIsSignedAndSaysWhatItsDestinationSays() throws Exception {
        Element answer = server.onlyAnswer(authorisation("2678", 2, ""));

        String transaction = answer.childText("TransactionId").orElse("");
        assertTrue(transaction.matches("[0-9]{19}"), transaction);
        for (Element destination : answer.children("Destination")) {
            String token = destination.childText("Token").orElse("");
            assertTrue(Tokens.isSignedBy(Tokens.identity(), token));
            String content = new String(Tokens.content(token), StandardCharsets.UTF_8);
            assertTrue(content.startsWith("<?xml"), content);
            Element info =
                    new MessageReader()
                            .read(
                                    message(content.substring(content.indexOf("?>") + 2))
                                            .getBytes(StandardCharsets.UTF_8))
                            .components()
                            .getFirst();
            assertEquals("TokenInfo", info.name());
            assertEquals(transaction, info.childText("TransactionId").orElse(""));
            for (String shared :
                    List.of(
                            "SourceInfo",
                            "DestinationInfo",
                            "CallId",
                            "ValidAfter",
                            "ValidUntil",
                            "UsageDetail")) {
                assertEquals(destination.children(shared), info.children(shared), shared);
                assertEquals(1, info.children(shared).size(), shared);
            }
        }
    }

    @Test
    void tokensCountFromFiveMinutesAgoForTenMinutes() throws Exception {
        Element destination =
                server.onlyAnswer(authorisation("1678", 1, "")).children("Destination").getFirst();

        assertEquals("2026-11-20T07:23:35Z", destination.childText("ValidAfter").orElse(""));
        assertEquals("2026-11-20T07:38:35Z", destination.childText("ValidUntil").orElse(""));
    }

    @Test
    void everyCallHasATransactionOfItsOwn() throws Exception {
        assertNotEquals(
                server.onlyAnswer(authorisation("1678", 1, "")).childText("TransactionId"),
                server.onlyAnswer(authorisation("1678", 1, "<Service/>"))
                        .childText("TransactionId"));
    }

    @Test
    void aNumberIsFoundAmongTheRemarksAboutIt() throws Exception {
        String parties =
                "<DestinationInfo type='cic'>9</DestinationInfo>"
                        + "<DestinationInfo type='displayname'>9</DestinationInfo>"
                        + "<DestinationInfo type='url'/>"
                        + "<DestinationInfo>2678</DestinationInfo>";

        Element answer = server.onlyAnswer(request("<CallId>a</CallId>" + parties));
        Element shown =
                server.onlyAnswer(
                        request(
                                "<CallId>a</CallId><DestinationInfo type='displayname'>"
                                        + "sip:3@osp.example</DestinationInfo>"));

        assertEquals(2, answer.children("Destination").size());
        assertEquals(3, shown.children("Destination").size());
        assertEquals(List.of(), shown.children("Destination").getFirst().children("SourceInfo"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<DestinationInfo>1</DestinationInfo>",
                "<CallId/><DestinationInfo>1</DestinationInfo>",
                "<CallId>a</CallId>",
                "<CallId>a</CallId><DestinationInfo type='cic'>1</DestinationInfo>",
                "<CallId encoding='base64'>%%</CallId><DestinationInfo>1</DestinationInfo>"
            })
    void whatLacksACallIdOrANumberIsABadRequest(String content) throws Exception {
        Element answer = server.onlyAnswer(request(content));

        assertEquals("400", code(answer));
        assertTrue(description(answer).startsWith("Bad request: "), () -> description(answer));
    }

    @ParameterizedTest
    @ValueSource(strings = {"CallId", "SourceInfo", "DestinationInfo"})
    void valuesThatWouldSwellTheTokenAreABadRequest(String name) throws Exception {
        String endless = "<%1$s>%2$s</%1$s>".formatted(name, "1".repeat(600));

        Element answer =
                server.onlyAnswer(
                        request(
                                endless
                                        + "<CallId>a</CallId><SourceInfo>1</SourceInfo>"
                                        + "<DestinationInfo>1</DestinationInfo>"));

        assertEquals("400", code(answer));
        assertEquals("Bad request: " + name + " is too long", description(answer));
    }

    @Test
    void aBase64CallIdMayBeBrokenIntoLines() throws Exception {
        Element answer =
                server.onlyAnswer(
                        request(
                                "<CallId encoding='base64'>\nYW\n Jj</CallId>"
                                        + "<DestinationInfo>1</DestinationInfo>"));

        assertEquals(List.of("YWJj"), callIds(answer));
    }

    @Test
    void reauthorisationKeepsTheTransactionAndGivesANewToken() throws Exception {
        Element first = authorised("a");
        String transaction = first.childText("TransactionId").orElse("");
        Element answer = server.onlyAnswer(reauthorisation(transaction, "a", token(first)));

        assertEquals("ReauthorizationResponse", answer.name());
        assertEquals(transaction, answer.childText("TransactionId").orElse(""));
        assertEquals(1, answer.children("Destination").size());
        assertTrue(Tokens.isSignedBy(Tokens.identity(), token(answer)));
        assertEquals(
                "200", code(server.onlyAnswer(reauthorisation(transaction, "a", token(answer)))));
        assertTrue(server.totals().contains("authorisations=1"), server::totals);
    }

    @Test
    void reauthorisationNeedsATokenOfItsCall() throws Exception {
        Element first = authorised("a");
        String transaction = first.childText("TransactionId").orElse("");
        String other = authorised("b").childText("TransactionId").orElse("");

        assertEquals("400", code(server.onlyAnswer(reauthorisation(transaction, "a", ""))));
        assertEquals("401", code(server.onlyAnswer(reauthorisation(other, "a", token(first)))));
        assertEquals(
                "401", code(server.onlyAnswer(reauthorisation(transaction, "b", token(first)))));
        String unsigned =
                Base64.getEncoder()
                        .encodeToString("V=1\nr=1\n".getBytes(StandardCharsets.US_ASCII));
        assertEquals("421", code(server.onlyAnswer(reauthorisation(transaction, "a", unsigned))));
    }

    @Test
    void reauthorisationNeedsASignedTokenWhereUnsignedOnesAreConfirmed(@TempDir Path folder)
            throws Exception {
        Path file = folder.resolve("osp.conf");
        Files.writeString(file, "token.kind=ascii-unsigned\ntoken.confirm-unsigned=true\n");
        OspConfiguration unsigned = OspConfiguration.read(file);
        OspServerFixture plain =
                new OspServerFixture(unsigned, DemoTables.desk(unsigned.routing()).routing());
        Element first =
                plain.onlyAnswer(
                        request("<CallId>a</CallId><DestinationInfo>8678</DestinationInfo>"));
        String transaction = first.childText("TransactionId").orElse("");

        assertEquals(
                "421", code(plain.onlyAnswer(reauthorisation(transaction, "a", token(first)))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "123456789012345678901"})
    void reauthorisationWithoutATransactionIsABadRequest(String transaction) throws Exception {
        String token = token(authorised("a"));
        assertEquals("400", code(server.onlyAnswer(reauthorisation(transaction, "a", token))));
    }

    @ParameterizedTest
    @CsvSource({
        "8678, 1404, 200",
        "+8678, +1404, 200",
        "7678, 1404, 401",
        "8678, 1405, 401",
        "8678, , 401"
    })
    void reauthorisationIsForTheNumbersOfItsToken(
            String called, @Nullable String calling, String code) throws Exception {
        String source = "<SourceInfo>1404</SourceInfo>";
        Element first =
                server.onlyAnswer(
                        request(
                                "<CallId>a</CallId>"
                                        + source
                                        + "<DestinationInfo>8678</DestinationInfo>"));

        Element answer =
                server.onlyAnswer(
                        reauthorisation(
                                        first.childText("TransactionId").orElse(""),
                                        "a",
                                        token(first))
                                .replace(
                                        "<DestinationInfo>8678",
                                        (calling == null ? "" : source.replace("1404", calling))
                                                + "<DestinationInfo>"
                                                + called));

        assertEquals(code, code(answer));
    }

    @Test
    void reauthorisationIsForTheNumbersThatTheRequestsBecomeOnTheirWay(@TempDir Path folder)
            throws Exception {
        Files.writeString(folder.resolve("devices.csv"), "name,address\nany,*\n");
        Files.writeString(
                folder.resolve("destinations.csv"),
                "name,address,out-prefix\na,[10.0.0.1],55#\nb,[10.0.0.2],66#\n");
        Files.writeString(
                folder.resolve("prefixes.csv"), "prefix,destination,priority\n49,a,2\n49,b,1\n");
        Files.writeString(
                folder.resolve("translations.csv"), "moment,prefix,strip,add\nbefore,8,0,498\n");
        OspServerFixture changing = tables(folder);
        Element first =
                changing.onlyAnswer(
                        request("<CallId>a</CallId><DestinationInfo>8678</DestinationInfo>"));
        Element second = first.children("Destination").getLast();

        Element answer =
                changing.onlyAnswer(
                        reauthorisation(
                                first.childText("TransactionId").orElse(""),
                                "a",
                                second.childText("Token").orElse("")));

        assertEquals("200", code(answer));
        assertEquals(
                "55#4988678",
                answer.children("Destination").getFirst().childText("DestinationInfo").orElse(""));
    }

    private static OspServerFixture tables(Path folder) throws BadTablesException {
        RoutingDesk.Setup setup =
                new RoutingDesk.Setup(
                        OspConfiguration.usual().routing(), new Random(1), () -> 0, line -> {});
        return new OspServerFixture(
                OspConfiguration.usual(), new RoutingDesk(new CsvFolder(folder), setup).routing());
    }

    @Test
    void aCallCountsFromItsAuthorisationUnlessThatFails(@TempDir Path folder) throws Exception {
        Files.writeString(
                folder.resolve("devices.csv"),
                "name,address,tokens,max-calls\nany,*,ascii-unsigned,1\n");
        Files.writeString(folder.resolve("destinations.csv"), "name,address\na,[10.0.0.1]\n");
        Files.writeString(folder.resolve("prefixes.csv"), "prefix,destination\n8,a\n");
        OspServerFixture small = tables(folder);

        assertEquals("400", code(small.onlyAnswer(authorisation("8 no ASCII token", 1, ""))));
        assertEquals("200", code(small.onlyAnswer(authorisation("8678", 1, ""))));
        assertEquals("503", code(small.onlyAnswer(authorisation("8679", 1, ""))));
    }

    @Test
    void noTokenOfACallAllowsMoreThanTheOneBefore() throws Exception {
        AtomicReference<Instant> now = new AtomicReference<>(Tokens.NOW);
        OspServerFixture moving =
                new OspServerFixture(
                        OspConfiguration.usual(),
                        OspServerFixture.demo(),
                        new Keys(KeyRing.of(Tokens.identity(), List.of())),
                        now::get);
        Element last =
                moving.onlyAnswer(
                        request("<CallId>a</CallId><DestinationInfo>8678</DestinationInfo>"));
        String transaction = last.childText("TransactionId").orElse("");
        List<String> allowed = new ArrayList<>();
        for (String passed : List.of("PT0S", "PT3H", "PT4H5M", "PT4H9M58S")) {
            now.set(Tokens.NOW.plus(Duration.parse(passed)));
            last = moving.onlyAnswer(reauthorisation(transaction, "a", token(last)));
            Element to = last.children("Destination").getFirst();
            allowed.add(
                    to.childText("ValidUntil").orElse("")
                            + " "
                            + to.children("UsageDetail").getFirst().childText("Amount").orElse(""));
        }
        now.set(Tokens.NOW.plus(Duration.parse("PT4H10M")));

        assertEquals(
                List.of(
                        "2026-11-20T07:38:35Z 14400",
                        "2026-11-20T10:38:35Z 3600",
                        "2026-11-20T11:38:34Z 1",
                        "2026-11-20T11:38:34Z 1"),
                allowed);
        assertEquals(
                "530", code(moving.onlyAnswer(reauthorisation(transaction, "a", token(last)))));
    }

    private Element authorised(String callId) throws Exception {
        return server.onlyAnswer(
                request("<CallId>" + callId + "</CallId><DestinationInfo>8678</DestinationInfo>"));
    }

    private static String token(Element answer) {
        return answer.children("Destination").getFirst().childText("Token").orElse("");
    }

    @Test
    void markupInNumbersStaysText() throws Exception {
        Element answer =
                server.onlyAnswer(
                        request(
                                "<CallId>a</CallId><SourceInfo type='&quot;&lt;'>&lt;Code>&amp;"
                                        + "</SourceInfo><DestinationInfo>1</DestinationInfo>"));

        Element source =
                answer.children("Destination").getFirst().children("SourceInfo").getFirst();
        assertEquals("<Code>&", source.text());
        assertEquals("\"<", source.attribute("type").orElse(""));
        assertFalse(source.isCritical());
    }

    private static String request(String content) {
        return message("<AuthorizationRequest>" + content + "</AuthorizationRequest>");
    }

    private static String reauthorisation(String transaction, String callId, String token) {
        return message(
                "<ReauthorizationRequest componentId='NULL'><Role>source</Role><CallId>"
                        + callId
                        + "</CallId><DestinationInfo>8678</DestinationInfo><TransactionId>"
                        + transaction
                        + "</TransactionId>"
                        + (token.isEmpty() ? "" : "<Token encoding='base64'>" + token + "</Token>")
                        + "</ReauthorizationRequest>");
    }

    private static List<String> callIds(Element answer) {
        return answer.children("Destination").stream()
                .map(each -> each.childText("CallId").orElse(""))
                .toList();
    }
}
