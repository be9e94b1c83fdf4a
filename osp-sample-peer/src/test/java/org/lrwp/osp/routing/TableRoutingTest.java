package org.lrwp.osp.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lrwp.osp.configuration.OspConfiguration;
import org.lrwp.osp.configuration.OspKeys;
import org.lrwp.osp.message.Party;
import org.lrwp.osp.message.RefusedException;
import org.lrwp.osp.token.TokenClass;
import org.lrwp.testkit.Configurations;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

final class TableRoutingTest extends RoutingFixture {
    @Test
    void theLongestPrefixDecidesThenPriorityThenCost() throws Exception {
        tables(
                "prefix,destination,cost,priority",
                "49,a,0.01,1",
                "4989,b,0.05,2",
                "4989,c,0.03,2",
                "4989,d,0.09,1");

        assertEquals(List.of("d", "c", "b"), names("4989123"));
        assertEquals(List.of("a"), names("4930"));
    }

    @Test
    void equalsShareTheLoadByTheirWeights() throws Exception {
        tables("prefix,destination,weight", "1,a,3", "1,b,1");
        TableRouting routing = desk().routing();
        Map<String, Integer> first = new HashMap<>();

        for (int i = 0; i < 4_000; i++) {
            first.merge(
                    routing.route(call("1")).routes().getFirst().destination(), 1, Integer::sum);
        }

        int a = first.getOrDefault("a", 0);
        assertTrue(a > 2_800 && a < 3_200, first::toString);
    }

    @Test
    void whatTheClientSuggestsComesFirstWhenItServesTheNumber() throws Exception {
        tables("prefix,destination,priority", "1,a,1", "1,b,2", "1,c,3");
        CallToRoute call =
                new CallToRoute(
                        from("192.0.2.1"),
                        Optional.empty(),
                        new Party("e164", "1"),
                        Portability.UNKNOWN,
                        List.of("[9.9.9.9]", "[10.0.0.3]", "[10.0.0.2]"),
                        Optional.empty());

        assertEquals(List.of("c", "b", "a"), names(desk().routing().route(call)));
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.9, small, 1, 200",
        "192.0.2.200, large, 1, 200",
        "gw.example, named, 1, 200",
        "198.51.100.1, , 1, 401",
        "203.0.113.1, , 1, 401",
        "203.0.113.2, , 1, 405",
        "192.0.2.9, , 66, 403",
        "192.0.2.9, , 5, 404"
    })
    void theDeviceIsTheRowThatSaysMostAndTheRestIsRefused(
            String from, String device, String number, int code) throws Exception {
        write(
                "devices.csv",
                "name,address,enrolled,suspended",
                "large,192.0.2.0/24,,",
                "small,192.0.2.8/30,,",
                "named,GW.example,,",
                "gone,203.0.113.1,,yes",
                "new,203.0.113.2,no,");
        destinations();
        write("prefixes.csv", "prefix,destination", "1,a", "6,a");
        write("blocked.csv", "prefix", "66");
        CallToRoute call = call(number, from(from));

        if (code == 200) {
            assertEquals(device, desk().routing().route(call).device());
        } else {
            assertEquals(code, refusal(desk().routing(), call));
        }
    }

    @Test
    void aTechPrefixTellsTheDeviceAndIsTakenOff() throws Exception {
        write(
                "devices.csv",
                "name,address,tech-prefix,tokens,network",
                "plain,192.0.2.1,,,",
                "tech,192.0.2.1,77#,ascii-unsigned,");
        destinations();
        write("prefixes.csv", "prefix,destination", "1,a");

        Decision decision = desk().routing().route(call("77#123"));

        assertEquals("tech", decision.device());
        assertEquals("123", decision.routes().getFirst().called().value());
        assertEquals(TokenClass.parse("ascii-unsigned"), decision.tokens());
        assertEquals("plain", desk().routing().route(call("123")).device());
    }

    @Test
    void numbersAreChangedBeforeAndAfterRouting() throws Exception {
        tables("prefix,destination", "49,a", "49,b");
        write("destinations.csv", "name,address,out-prefix", "a,[10.0.0.1],", "b,[10.0.0.2],55#");
        write(
                "translations.csv",
                "kind,moment,scope,prefix,strip,add",
                "called,before,*,0,1,49",
                "called,before,*,00,2,",
                "called,after,a,49,2,0",
                "calling,after,*,1,1,+",
                "calling,before,any,555,0,1");
        CallToRoute call =
                new CallToRoute(
                        from("192.0.2.1"),
                        Optional.of(new Party("e164", "555")),
                        new Party("e164", "089123"),
                        Portability.UNKNOWN,
                        List.of(),
                        Optional.empty());

        Decision decision = desk().routing().route(call);

        Map<String, String> numbers = new HashMap<>();
        decision.routes().forEach(each -> numbers.put(each.destination(), each.called().value()));
        assertEquals(Map.of("a", "089123", "b", "55#4989123"), numbers);
        assertEquals("+555", decision.routes().getFirst().caller().orElseThrow().value());
    }

    @Test
    void onlyDestinationsThatLeaveTheMarginAreOffered() throws Exception {
        tables("prefix,destination,cost", "1,a,0.02", "1,b,0.04", "2,b,0.04", "3,a,0");
        write("devices.csv", "name,address,tariff,min-margin", "any,*,retail,0.015");
        write("tariffs.csv", "tariff,prefix,price", "retail,1,0.05", "retail,2,0.05");

        assertEquals(List.of("a"), names("1"));
        assertEquals(404, refusal(desk().routing(), call("2")));
        assertEquals(404, refusal(desk().routing(), call("3")));
    }

    @Test
    void aDeviceHasARateAndANumberOfCalls() throws Exception {
        tables("prefix,destination", "1,a");
        write("devices.csv", "name,address,max-rate,max-calls", "any,*,2,3");
        TableRouting routing = desk().routing();

        for (int i = 0; i < 2; i++) {
            begin(routing, "t" + i);
        }
        assertEquals(441, refusal(routing, call("1")));
        nanos += Duration.ofSeconds(1).toNanos();
        begin(routing, "t2");
        assertEquals(503, refusal(routing, call("1")));
        routing.ended("t1", "[10.0.0.1]", 10, -1);
        nanos += Duration.ofSeconds(1).toNanos();
        begin(routing, "t3");
        nanos += Duration.ofHours(5).toNanos();
        begin(routing, "t4");
    }

    @Test
    void aFullDestinationIsPassedOver() throws Exception {
        tables("prefix,destination,priority", "1,a,1", "1,b,2", "2,a,1");
        write("destinations.csv", "name,address,capacity", "a,[10.0.0.1],1", "b,[10.0.0.2],");
        TableRouting routing = desk().routing();

        begin(routing, "t1");

        assertEquals(List.of("b"), names(routing.route(call("1"))));
        assertEquals(503, refusal(routing, call("2")));
        routing.ended("t1", "[10.0.0.1]", 1, -1);
        assertEquals(List.of("a", "b"), names(routing.route(call("1"))));
    }

    @Test
    void callsThatAreDecidedOnAtOnceAreNoMoreThanTheDeviceMayHave() throws Exception {
        tables("prefix,destination", "1,a");
        write("devices.csv", "name,address,max-calls", "any,*,1");
        TableRouting routing = desk().routing();
        Decision first = routing.route(call("1"));
        Decision second = routing.route(call("1"));

        routing.begin("t1", first);
        assertEquals(503, refusal(() -> routing.begin("t2", second)));
        routing.giveBack("t1");

        assertEquals(second, routing.begin("t2", second));
    }

    @Test
    void callsThatAreDecidedOnAtOnceFindTheNextDestination() throws Exception {
        tables("prefix,destination,priority", "1,a,1", "1,b,2", "2,a,1");
        write("destinations.csv", "name,address,capacity", "a,[10.0.0.1],1", "b,[10.0.0.2],1");
        TableRouting routing = desk().routing();
        Decision decision = routing.route(call("1"));
        Decision only = routing.route(call("2"));

        assertEquals(List.of("a", "b"), names(routing.begin("t1", decision)));
        assertEquals(List.of("b"), names(routing.begin("t2", decision)));
        assertEquals(503, refusal(() -> routing.begin("t3", decision)));
        assertEquals(503, refusal(() -> routing.begin("t4", only)));
    }

    @Test
    void aCallUnderWayStaysAtItsDestinationFullOrNot() throws Exception {
        tables("prefix,destination,priority", "1,a,1", "1,b,2", "2,a,1");
        write("destinations.csv", "name,address,capacity", "a,[10.0.0.1],1", "b,[10.0.0.2],");
        TableRouting routing = desk().routing();

        begin(routing, "t1");
        begin(routing, "t2");

        assertEquals(List.of("a", "b"), names(routing.route(call("1").again("t1"))));
        assertEquals(List.of("a"), names(routing.route(call("2").again("t1"))));
        assertEquals(List.of("b"), names(routing.route(call("1").again("t2"))));
        assertEquals(List.of("b"), names(routing.route(call("1").again("unknown"))));
        routing.ended("t1", "[10.0.0.1]", 1, -1);
        assertEquals(List.of("b", "a"), names(routing.route(call("1").again("t2"))));
    }

    @Test
    void aCallUnderWayStaysAtADestinationThatFallsShortByNow() throws Exception {
        tables("prefix,destination,priority", "1,a,1", "1,b,2");
        write("destinations.csv", "name,address,min-asr", "a,[10.0.0.1],50", "b,[10.0.0.2],");
        TableRouting routing = desk().routing();
        begin(routing, "t1");
        for (int i = 0; i < 20; i++) {
            routing.ended("u" + i, "[10.0.0.1]", 0, -1);
        }

        assertEquals(List.of("b"), names(routing.route(call("1"))));
        assertEquals(List.of("a", "b"), names(routing.route(call("1").again("t1"))));
    }

    @Test
    void aSuspendedCarrierAndTheCallersOwnAddressAreLeftOut() throws Exception {
        tables("prefix,destination", "1,a", "1,b", "1,c");
        write("carriers.csv", "name,suspended", "good,no", "bad,yes");
        write(
                "destinations.csv",
                "name,carrier,address",
                "a,good,[10.0.0.1]",
                "b,bad,[10.0.0.2]",
                "c,,[192.0.2.1]");

        assertEquals(List.of("a"), names("1"));
    }

    @Test
    void aDestinationThatFallsShortIsSuspendedForATimeAndSaysSo() throws Exception {
        tables("prefix,destination,priority", "1,a,1", "1,b,2");
        write(
                "destinations.csv",
                "name,address,min-asr,min-acd,max-pdd",
                "a,[10.0.0.1],50,,",
                "b,[10.0.0.2],,,2000");
        TableRouting routing = desk().routing();

        for (int i = 0; i < 19; i++) {
            routing.ended("t" + i, "[10.0.0.1]", i % 3 == 0 ? 60 : 0, 500);
            routing.ended("u" + i, "[10.0.0.2]", 1, 1_900);
        }
        assertEquals(List.of("a", "b"), names(routing.route(call("1"))));
        routing.ended("t", "[10.0.0.1]", 0, 500);

        assertEquals(List.of("b"), names(routing.route(call("1"))));
        assertTrue(
                log.getLast()
                        .startsWith(
                                "destination-suspended destination=a seconds=600 attempts=20"
                                        + " asr=35 acd=60 pdd-ms=500"),
                log::toString);
        assertTrue(
                routing.report().getFirst().startsWith("destination=a suspended=true"),
                () -> routing.report().toString());
        nanos += Duration.ofMinutes(10).toNanos();
        assertEquals(List.of("a", "b"), names(routing.route(call("1"))));
        assertEquals("destination-resumed destination=a", log.getLast());
    }

    @ParameterizedTest
    @CsvSource({"1, first", "2, second", "3, third"})
    void ofSeveralWithOneAddressTheCallsOwnDestinationIsJudged(String number, String judged)
            throws Exception {
        tables("prefix,destination", "1,first", "2,second", "3,third");
        write(
                "destinations.csv",
                "name,address",
                "first,[10.0.0.1]",
                "second,[10.0.0.1]",
                "third,[10.0.0.1]");
        TableRouting routing = desk().routing();
        routing.begin("t", routing.route(call(number)));

        routing.ended("t", "[10.0.0.1]", 60, -1);

        assertEquals(1, routing.report().size());
        assertTrue(
                routing.report().getFirst().startsWith("destination=" + judged + " "),
                () -> routing.report().toString());
    }

    @Test
    void theDestinationThatWasUsedIsJudgedIfItIsNotTheFirst() throws Exception {
        tables("prefix,destination,priority", "1,a,1", "1,b,2");
        TableRouting routing = desk().routing();
        begin(routing, "t");

        routing.ended("t", "[10.0.0.2]", 60, -1);

        assertTrue(
                routing.report().getFirst().startsWith("destination=b "),
                () -> routing.report().toString());
    }

    @Test
    void anotherRuleOfQualityCountsAtOnceAndAnotherWindowForgets() throws Exception {
        tables("prefix,destination,priority", "1,a,1", "1,b,2");
        write("destinations.csv", "name,address,min-asr", "a,[10.0.0.1],50", "b,[10.0.0.2],");
        RoutingDesk desk = desk();
        desk.judgeBy(settings("quality.attempts=3"));
        desk.routing().ended("t1", "[10.0.0.1]", 0, -1);
        desk.routing().ended("t2", "[10.0.0.1]", 0, -1);

        desk.judgeBy(settings("quality.attempts=3", "quality.window=PT5M"));
        desk.routing().ended("t3", "[10.0.0.1]", 0, -1);
        assertEquals(List.of("a", "b"), names(desk.routing().route(call("1"))));
        desk.judgeBy(settings("quality.attempts=2", "quality.window=PT5M"));
        desk.routing().ended("t4", "[10.0.0.1]", 0, -1);

        assertEquals(List.of("b"), names(desk.routing().route(call("1"))));
    }

    private static RoutingDesk.Settings settings(String... set) throws Exception {
        return OspConfiguration.of(Configurations.of(OspKeys.all(), set)).routing();
    }

    @Test
    void oldCallsDoNotCountForQuality() throws Exception {
        tables("prefix,destination", "1,a");
        write("destinations.csv", "name,address,min-asr", "a,[10.0.0.1],90");
        TableRouting routing = desk().routing();
        for (int i = 0; i < 19; i++) {
            routing.ended("t" + i, "[10.0.0.1]", 0, -1);
        }
        nanos += Duration.ofMinutes(16).toNanos();

        for (int i = 0; i < 20; i++) {
            routing.ended("t" + i, "[10.0.0.1]", 9, -1);
        }

        assertEquals(List.of("a"), names(routing.route(call("1"))));
    }

    @Test
    void anExplanationNamesTheRules() throws Exception {
        tables("prefix,destination,cost,priority", "49,a,0.01,1", "4989,b,0.05,2", "4989,c,0,1");
        write("destinations.csv", "name,address,suspended", "a,x,", "b,y,", "c,z,yes");

        assertEquals(
                List.of(
                        "device any",
                        "4989123 fits prefix '4989'",
                        "c is left out: suspended",
                        "b y priority=2 cost=0.05",
                        "1. b y called 4989123"),
                desk().explain("4989123", "192.0.2.1"));
        assertEquals("refused: 404 Route not found", desk().explain("5", "192.0.2.1").getLast());
    }

    private void begin(TableRouting routing, String transaction) throws RefusedException {
        routing.begin(transaction, routing.route(call("1")));
    }

    private static int refusal(TableRouting routing, CallToRoute call) {
        return refusal(() -> routing.route(call));
    }

    private static int refusal(Executable refused) {
        return assertThrows(RefusedException.class, refused).status().code();
    }

    private List<String> names(String number) throws Exception {
        return names(desk().routing().route(call(number)));
    }
}
