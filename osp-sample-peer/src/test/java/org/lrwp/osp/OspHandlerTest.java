package org.lrwp.osp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.osp.message.Element;
import org.lrwp.osp.message.Message;
import org.lrwp.osp.message.MessageReader;
import org.lrwp.osp.testkit.Vectors;
import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.PeerResponse;

import java.util.List;
import java.util.Random;

final class OspHandlerTest {
    private final OspServerFixture server = new OspServerFixture();

    static List<String> vectors() {
        List<String> names = Vectors.names();
        assertEquals(15, names.size());
        return names;
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void everyMessageOfTheRealClientSucceeds(String name) throws Exception {
        Message question = new MessageReader().read(Vectors.bytes(name));

        Message answer = server.answer(Vectors.body(name));

        assertEquals(question.messageId(), answer.messageId());
        assertEquals(question.components().size(), answer.components().size());
        for (int i = 0; i < answer.components().size(); i++) {
            Element component = answer.components().get(i);
            assertEquals("200", OspServerFixture.code(component));
            assertEquals(
                    question.components().get(i).attribute("componentId"),
                    component.attribute("componentId"));
            assertEquals("2026-11-20T07:28:35Z", component.childText("Timestamp").orElse(""));
        }
    }

    @Test
    void theAnswerIsPlainTextThatBeginsAsXml() throws Exception {
        PeerResponse response = server.post(Vectors.body("deb413-call/002-UsageIndication"));

        assertEquals(200, response.status());
        assertEquals(List.of(new HeaderField("Content-Type", "text/plain")), response.headers());
        assertTrue(OspServerFixture.text(response).startsWith("<?xml"));
    }

    @Test
    void severalUsagesInOneMessageAreEachConfirmed() throws Exception {
        Message answer =
                server.answer(Vectors.body("deb413-cap-reauth-suggest/007-UsageIndication"));

        assertEquals(
                List.of("17951597428352", "17951597428354"),
                answer.components().stream()
                        .map(each -> each.attribute("componentId").orElse(""))
                        .toList());
        assertEquals(
                List.of("UsageConfirmation", "UsageConfirmation"),
                answer.components().stream().map(Element::name).toList());
    }

    @Test
    void aCallIsAnAuthorisationAndAUsageFromEitherSide() throws Exception {
        server.answer(Vectors.body("deb413-call/001-AuthorizationRequest"));
        server.answer(Vectors.body("deb413-scratch/002-UsageIndication"));
        server.answer(Vectors.body("deb413-call/002-UsageIndication"));

        assertEquals(
                "calls-total calls=1 authorisations=1 source-usages=1 destination-usages=1"
                        + " refused=0 seconds=0",
                server.totals());
    }

    @Test
    void otherRolesAreConfirmedButNotCounted() throws Exception {
        Element confirmation =
                server.onlyAnswer(
                        OspServerFixture.message(
                                "<UsageIndication componentId='NULL'><Role>other</Role>"
                                        + "</UsageIndication>"));

        assertEquals("200", OspServerFixture.code(confirmation));
        assertEquals("NULL", confirmation.attribute("componentId").orElse(""));
        assertTrue(server.totals().contains("source-usages=0 destination-usages=0"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "hello",
                "<Message",
                "<Message><UsageIndication></Message>",
                "<Message messageId='1'/>",
                "<Massage><UsageIndication/></Massage>",
                "{\"Message\":1}"
            })
    void whatIsNoOspMessageIsABadRequestWithASentence(String body) throws Exception {
        PeerResponse response = server.post(body);

        assertEquals(400, response.status());
        assertTrue(OspServerFixture.text(response).matches("[a-zA-Z :,-]+\n"), response::toString);
    }

    @Test
    void otherMethodsThanPostAreNotAllowed() throws Exception {
        PeerResponse response = server.request("GET");

        assertEquals(405, response.status());
        assertTrue(response.headers().contains(new HeaderField("Allow", "POST")));
    }

    @Test
    void aMessageAboveTheLimitIsTooLarge() throws Exception {
        String longest = " ".repeat(256 * 1024);

        assertEquals(413, server.post(longest + " ").status());
        assertEquals(400, server.post(longest).status());
    }

    @Test
    void messagesWithTheirBytesChangedAreAnsweredOrRefusedButNeverFail() throws Exception {
        Random random = new Random(20_261_120);
        byte[] original = Vectors.bytes("deb413-call/001-AuthorizationRequest");
        for (int round = 0; round < 300; round++) {
            byte[] changed = original.clone();
            for (int i = 0; i <= random.nextInt(4); i++) {
                changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
            }

            int status = server.post(changed).status();

            assertTrue(status == 200 || status == 400, () -> "HTTP status " + status);
        }
        assertTrue(!server.totals().contains("authorisations=0"), server::totals);
    }
}
