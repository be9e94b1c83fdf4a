package org.lrwp.osp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.osp.OspServerFixture.authorisation;
import static org.lrwp.osp.OspServerFixture.code;
import static org.lrwp.osp.OspServerFixture.description;
import static org.lrwp.osp.OspServerFixture.message;

import org.junit.jupiter.api.Test;
import org.lrwp.osp.configuration.OspConfiguration;
import org.lrwp.osp.message.Element;
import org.lrwp.osp.message.Message;

import java.util.List;

final class ComponentDispatcherTest {
    private final OspServerFixture server = new OspServerFixture();

    @Test
    void eitherSpellingIsAnsweredInItself() throws Exception {
        String withZ = authorisation("1678", 1, "");

        Element answer = server.onlyAnswer(withZ.replace("Authorization", "Authorisation"));

        assertEquals("AuthorisationResponse", answer.name());
        assertEquals("200", code(answer));
        assertEquals("AuthorizationResponse", server.onlyAnswer(withZ).name());
    }

    @Test
    void capabilitiesAreConfirmed() throws Exception {
        Element answer =
                server.onlyAnswer(
                        message(
                                "<CapabilitiesIndication componentId='3'><OSPVersion>2.1.1"
                                        + "</OSPVersion></CapabilitiesIndication>"));

        assertEquals("CapabilitiesConfirmation", answer.name());
        assertEquals("200", code(answer));
    }

    @Test
    void pricesAreConfirmed() throws Exception {
        Element answer = server.onlyAnswer(message("<PricingIndication componentId='7'/>"));

        assertEquals("PricingConfirmation", answer.name());
        assertEquals("7", answer.attribute("componentId").orElse(""));
        assertEquals("200", code(answer));
    }

    @Test
    void whatIsNotOfferedIsNotImplemented() throws Exception {
        Message answer =
                server.answer(
                        message(
                                "<SubscriberAuthenticationRequest componentId='8'/>"
                                        + "<UsageIndication componentId='1'/>"
                                        + "<Newer componentId='2' critical='false'/>"));

        assertEquals(
                List.of("SubscriberAuthenticationResponse", "UsageConfirmation", "NewerResponse"),
                answer.components().stream().map(Element::name).toList());
        assertEquals(
                List.of("501", "200", "501"),
                answer.components().stream().map(OspServerFixture::code).toList());
    }

    @Test
    void unknownElementsThatAreNotCriticalArePassedOver() throws Exception {
        for (String unknown :
                List.of("<Later critical=' FALSE '><Deeper/>x</Later>", "<Later>x</Later>")) {
            assertEquals("200", code(server.onlyAnswer(authorisation("1678", 1, unknown))));
        }
    }

    @Test
    void unknownElementsThatAreCriticalAreRefusedByName() throws Exception {
        Element outer =
                server.onlyAnswer(authorisation("1678", 1, "<Later critical='True'>x</Later>"));
        Element inner =
                server.onlyAnswer(
                        message(
                                "<UsageIndication><UsageDetail><Newer critical='true'/>"
                                        + "</UsageDetail></UsageIndication>"));

        assertEquals("412", code(outer));
        assertTrue(description(outer).endsWith(": Later"), () -> description(outer));
        assertEquals("412", code(inner));
        assertTrue(server.totals().endsWith("refused=2 refused-412=2 seconds=0"), server::totals);
    }

    @Test
    void aVendorsElementWithAnUndeclaredPrefixIsAnElement() throws Exception {
        Element answer =
                server.onlyAnswer(
                        authorisation(
                                "1678", 1, "<cisco.com:AuditSignal>on</cisco.com:AuditSignal>"));

        assertEquals("200", code(answer));
    }

    @Test
    void refusalsDoNotTouchTheOtherComponents() throws Exception {
        String refused =
                "<AuthorizationRequest componentId='1'><CallId>a</CallId>"
                        + "<DestinationInfo>0</DestinationInfo></AuthorizationRequest>";

        Message answer =
                server.answer(message(refused + "<UsageIndication componentId='2'/>" + refused));

        assertEquals(
                List.of("403", "200", "403"),
                answer.components().stream().map(OspServerFixture::code).toList());
    }

    @Test
    void aFaultOfTheServerIsAStatusAndNotTheEndOfTheMessage() throws Exception {
        OspServerFixture broken =
                new OspServerFixture(
                        OspConfiguration.usual(),
                        call -> {
                            throw new IllegalStateException("planted");
                        });

        Message message =
                broken.answer(
                        message(
                                "<AuthorizationRequest><CallId>a</CallId><DestinationInfo>1"
                                        + "</DestinationInfo></AuthorizationRequest>"
                                        + "<UsageIndication/>"));

        List<Element> answers = message.components();
        assertEquals("200", code(answers.getLast()));
        assertEquals("500", code(answers.getFirst()));
        assertEquals("Internal error", description(answers.getFirst()));
    }
}
