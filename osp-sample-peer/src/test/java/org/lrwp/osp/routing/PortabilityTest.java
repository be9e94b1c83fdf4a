package org.lrwp.osp.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lrwp.osp.message.Element;
import org.lrwp.osp.message.Party;
import org.lrwp.osp.message.Sender;

import java.util.List;
import java.util.Optional;

/**
 * How a number that was ported finds its way: routing number, carrier, and whether one has looked.
 */
final class PortabilityTest extends RoutingFixture {
    @BeforeEach
    void writeTables() throws Exception {
        write("devices.csv", "name,address,tech-prefix", "any,*,", "berlin,192.0.2.10,77");
        write("carriers.csv", "name,cic", "alpha,10", "beta,20");
        write(
                "destinations.csv",
                "name,carrier,address",
                "a,alpha,[10.0.0.1]",
                "b,beta,[10.0.0.2]",
                "c,,[10.0.0.3]");
        write(
                "prefixes.csv",
                "prefix,destination,priority",
                "1,a,1",
                "1,b,2",
                "1,c,3",
                "7,b,1",
                "7,c,2");
        write("ported.csv", "prefix,routing-number,cic", "1555,7000,", "1556,7001,20");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nothing known, not ported|1444||||a b c",
                "the client's routing number|1444|7000|||b c",
                "ported by the table|1555||||b c",
                "ported by the table to a carrier|1556||||b",
                "the client has looked: not ported|1555|||true|a b c",
                "the client has not looked|1555|||false|b c",
                "the client's number counts more|1555|1000|||a b c",
                "the client's carrier|1444||10||a",
                "another carrier of the client|1444||20|true|b",
                "a carrier nobody is|1444||99||a b c",
                "the client's carrier, ported by the table|1555||20||b"
            })
    void whatIsKnownOfANumberSteersItsCall(
            String what,
            String number,
            @Nullable String routing,
            @Nullable String cic,
            @Nullable String npdi,
            String names)
            throws Exception {
        Decision decision = desk().routing().route(asked(number, routing, cic, npdi));

        assertEquals(List.of(names.split(" ")), names(decision), what);
        assertEquals(number, decision.routes().getFirst().called().value());
    }

    @Test
    void theDestinationIsToldWhatTheTableKnows() throws Exception {
        Decision decision = desk().routing().route(asked("1556", null, null, null));

        assertEquals(
                new Portability(Optional.of("7001"), Optional.of("20"), true),
                decision.portability());
    }

    @Test
    void anEndlessRoutingNumberIsNone() throws Exception {
        Decision decision = desk().routing().route(asked("1444", "7".repeat(65), null, null));

        assertEquals(Portability.UNKNOWN, decision.portability());
    }

    @Test
    void explanationsNameDevicesAndWhatWasPorted() throws Exception {
        assertEquals(
                List.of(
                        "device berlin",
                        "called number becomes 1556",
                        "ported, routing number 7001 by the table",
                        "cic 20",
                        "7001 fits prefix '7'",
                        "c is left out: the call is for the carrier with cic 20",
                        "b [10.0.0.2] priority=1 cost=0",
                        "1. b [10.0.0.2] called 1556"),
                desk().explain("771556", "berlin"));
        assertEquals("device any", desk().explain("1444", "nobody").getFirst());
    }

    @Test
    void aPortedNumberWithoutARoutingNumberIsAFaultWithItsLine() throws Exception {
        RoutingDesk desk = desk();
        write("ported.csv", "prefix,routing-number", "1555,7000", "1556,");

        desk.look();
        desk.look();

        assertTrue(
                log.getLast().contains("ported.csv:3: routing-number is missing"), log::toString);
    }

    private static CallToRoute asked(
            String number, @Nullable String routing, @Nullable String cic, @Nullable String npdi) {
        Element component =
                Element.of(
                        "AuthorizationRequest",
                        information("e164", number),
                        information("routingnumber", routing),
                        information("cic", cic),
                        information("npdi", npdi));
        return CallToRoute.of(component, Sender.LOCAL, Optional.empty(), new Party("e164", number));
    }

    private static Element information(String type, @Nullable String text) {
        return Element.leaf("DestinationInfo", text == null ? "" : text).with("type", type);
    }
}
