package org.lrwp.osp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.osp.OspServerFixture.authorisation;
import static org.lrwp.osp.OspServerFixture.code;
import static org.lrwp.osp.OspServerFixture.description;
import static org.lrwp.osp.OspServerFixture.message;

import org.junit.jupiter.api.Test;
import org.lrwp.osp.authorisation.AuthorisationService;
import org.lrwp.osp.authorisation.TransactionIds;
import org.lrwp.osp.message.Element;
import org.lrwp.osp.message.Message;
import org.lrwp.osp.message.MessageReader;
import org.lrwp.osp.statistics.CallCounters;
import org.lrwp.osp.testkit.Tokens;
import org.lrwp.osp.token.TokenIssuer;
import org.lrwp.osp.usage.UsageService;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

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
    void whatIsNotOfferedIsNotImplemented() throws Exception {
        Element indication = server.onlyAnswer(message("<PricingIndication componentId='7'/>"));
        Element request =
                server.onlyAnswer(message("<SubscriberAuthenticationRequest componentId='8'/>"));

        assertEquals("PricingConfirmation", indication.name());
        assertEquals("7", indication.attribute("componentId").orElse(""));
        assertEquals("501", code(indication));
        assertEquals("SubscriberAuthenticationResponse", request.name());
        assertEquals("501", code(request));
    }

    @Test
    void unknownElementsThatAreNotCriticalAreIgnored() throws Exception {
        Element answer =
                server.onlyAnswer(
                        authorisation("1678", 1, "<Later critical=' FALSE '><Deeper/>x</Later>"));

        assertEquals("200", code(answer));
    }

    @Test
    void unknownElementsThatMayBeCriticalAreRefusedByName() throws Exception {
        Element outer = server.onlyAnswer(authorisation("1678", 1, "<Later>x</Later>"));
        Element inner =
                server.onlyAnswer(
                        message(
                                "<UsageIndication><UsageDetail><Newer critical='true'/>"
                                        + "</UsageDetail></UsageIndication>"));

        assertEquals("412", code(outer));
        assertTrue(description(outer).endsWith(": Later"), () -> description(outer));
        assertEquals("412", code(inner));
        assertTrue(server.totals().endsWith("refused=2 seconds=0"), server::totals);
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
    void unknownComponentsAreIgnoredOrRefusedAsTheyAskFor() throws Exception {
        Message answer =
                server.answer(
                        message(
                                "<Later critical='false'/><UsageIndication componentId='1'/>"
                                        + "<Newer componentId='2'/>"));

        assertEquals(
                List.of("UsageConfirmation", "NewerResponse"),
                answer.components().stream().map(Element::name).toList());
        assertEquals("412", code(answer.components().getLast()));
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
        CallCounters counters = new CallCounters();
        Random random = new Random(1);
        AuthorisationService broken =
                new AuthorisationService(
                        called -> {
                            throw new IllegalStateException("planted");
                        },
                        new TokenIssuer(Tokens.identity(), random),
                        new TransactionIds(random),
                        Tokens.CLOCK);
        ComponentDispatcher dispatcher =
                new ComponentDispatcher(
                        broken, new UsageService(counters, Tokens.CLOCK), counters, Tokens.CLOCK);

        List<Element> answers =
                dispatcher.answers(
                        new MessageReader()
                                .read(
                                        authorisation("1678", 1, "")
                                                .getBytes(StandardCharsets.UTF_8)));

        assertEquals("500", code(answers.getFirst()));
        assertEquals("Internal error", description(answers.getFirst()));
    }
}
