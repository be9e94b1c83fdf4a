package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.systemtests.harness.Configuration;
import org.lrwp.systemtests.harness.OspDevice;
import org.lrwp.systemtests.harness.OspProcess;
import org.lrwp.systemtests.harness.ProcessPeer;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.Wait;

import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What an enrolled gateway can do with openssl, and what it cannot. */
@SystemTest
@ServerConfig
class OspTrustIT {
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final Pattern CODE = Pattern.compile("<Code>([0-9]+)</Code>");
    private static final Pattern TOKEN = Pattern.compile("<Token encoding=.base64.>([^<]+)<");
    private static final Pattern TRANSACTION =
            Pattern.compile("<TransactionId>([0-9]+)</TransactionId>");

    @TempDir Path folder;

    private int messages;

    /**
     * It signs terms with the key it has enrolled, and shows them as the gateway at the other end
     * would.
     */
    @Test
    void aDevicesOwnTokenIsRefused(Scene scene) throws Exception {
        start(scene, "messages.signed=off");
        OspDevice seven = OspDevice.enrolled(scene, folder, "7");
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        String token =
                seven.ownToken(
                        "<?xml version='1.0'?><TokenInfo random='1'>"
                                + "<SourceInfo type='e164'>14048724799</SourceInfo>"
                                + "<DestinationInfo type='e164'>1678</DestinationInfo>"
                                + "<CallId encoding='base64'>MQ==</CallId><ValidAfter>"
                                + now.minusSeconds(60)
                                + "</ValidAfter><ValidUntil>"
                                + now.plusSeconds(600)
                                + "</ValidUntil><TransactionId>4711</TransactionId><UsageDetail>"
                                + "<Amount>14400</Amount><Increment>1</Increment><Service/>"
                                + "<Unit>s</Unit></UsageDetail></TokenInfo>");

        assertEquals("423", code(seven.send(shown(token))));
        assertEquals("423", code(seven.send(shown(token))));
    }

    @Test
    void aTokenIsTakenOnceAlsoAfterARestart(Scene scene) throws Exception {
        ProcessPeer peer = start(scene, "messages.signed=off");
        OspDevice seven = OspDevice.enrolled(scene, folder, "7");
        String token = found(TOKEN, seven.send(asking(Instant.now(), "")));
        String other = found(TOKEN, seven.send(asking(Instant.now(), "")));
        String message = shown(token);

        HttpResponse<String> first = seven.send(message);
        HttpResponse<String> same = seven.send(message);
        HttpResponse<String> again = seven.send(shown(token));
        peer.kill();
        start(scene, "messages.signed=off");

        assertEquals("200", code(first));
        assertEquals(first.body(), same.body());
        assertEquals("401", code(again));
        assertEquals("401", code(seven.send(shown(token))));
        assertEquals("200", code(seven.send(shown(other))));
    }

    @Test
    void aSignedMessageIsOfItsDeviceAndCountsOnce(Scene scene) throws Exception {
        ProcessPeer peer = start(scene, "messages.signed=require");
        OspDevice seven = OspDevice.enrolled(scene, folder, "7");
        OspDevice nine = OspDevice.enrolled(scene, folder, "9");
        Instant now = Instant.now();
        String asEight = "<CustomerId>1000</CustomerId><DeviceId>8</DeviceId>";
        byte[] signed = seven.signed(asking(now, ""));

        HttpResponse<String> first = seven.sendSigned(signed);
        HttpResponse<String> same = seven.sendSigned(signed);

        assertEquals("200", code(first));
        assertEquals(found(TRANSACTION, first), found(TRANSACTION, same));
        assertEquals(found(TOKEN, first), found(TOKEN, same));
        assertNotEquals(
                found(TRANSACTION, first),
                found(TRANSACTION, seven.sendSigned(seven.signed(asking(now, asEight)))));
        assertEquals("401", code(nine.sendSigned(nine.signed(asking(now, asEight)))));
        assertEquals(401, seven.send(asking(now, asEight)).statusCode());
        assertEquals(
                "530",
                code(seven.sendSigned(seven.signed(asking(now.minus(Duration.ofMinutes(6)), "")))));
        peer.kill();
        start(scene, "messages.signed=require");
        assertEquals("420", code(seven.sendSigned(signed)));
    }

    @Test
    void aRevokedDeviceSignsNothingAnyMore(Scene scene) throws Exception {
        Path revoked = Files.writeString(folder.resolve("revoked"), "# nobody yet\n");
        start(scene, "messages.signed=require", "devices.revoked=" + revoked);
        OspDevice seven = OspDevice.enrolled(scene, folder, "7");
        OspDevice eight = OspDevice.enrolled(scene, folder, "8");

        assertEquals("200", code(seven.sendSigned(seven.signed(asking(Instant.now(), "")))));
        Files.writeString(revoked, seven.serial() + "\n", StandardOpenOption.APPEND);

        Wait.require(
                "the list is read again",
                LONGEST,
                () ->
                        seven.sendSigned(seven.signed(asking(Instant.now(), ""))).statusCode()
                                == 401);
        assertEquals("200", code(eight.sendSigned(eight.signed(asking(Instant.now(), "")))));
    }

    private ProcessPeer start(Scene scene, String... configuration) throws Exception {
        Path routes = Files.createDirectories(folder.resolve("routes"));
        Files.writeString(
                routes.resolve("devices.csv"),
                "name,address,customer,device\nany,*,,\nseven,*,1000,7\neight,*,1000,8\n");
        Files.writeString(routes.resolve("destinations.csv"), "name,address\nd1,[1.1.1.1]:5060\n");
        Files.writeString(routes.resolve("prefixes.csv"), "prefix,destination\n1,d1\n");
        Path accounts =
                Configuration.write(
                        folder.resolve("accounts"),
                        OspDevice.account("7") + OspDevice.account("8") + OspDevice.account("9"));
        List<String> all = new ArrayList<>(List.of(configuration));
        all.add("routes.folder=" + routes);
        all.add("enrolment.accounts=" + accounts);
        // RSA keys take seconds to make, and none of this is about their kind.
        all.add("token.generate=ecdsa");
        String context = "/" + scene.app();
        ProcessPeer peer =
                scene.closing(
                        OspProcess.start(
                                scene, folder, context, all, "--context", context + "/tep"));
        Wait.require(
                "the OSP peer serves /tep",
                LONGEST,
                () -> scene.proxy().status().number(context + "/tep", "connections") > 0);
        return peer;
    }

    /** A request for a call, each with another id. */
    private String asking(Instant at, String who) {
        return """
        <?xml version="1.0"?><Message messageId="%1$d1" random="%1$d">
        <AuthorizationRequest componentId="%1$d0"><Timestamp>%2$s</Timestamp>
        <CallId encoding="base64">MQ==</CallId>
        <SourceInfo type="e164">14048724799</SourceInfo>
        <DestinationInfo type="e164">1678</DestinationInfo><Service/>
        <MaximumDestinations>1</MaximumDestinations>%3$s</AuthorizationRequest></Message>
        """
                .formatted(++messages, at.truncatedTo(ChronoUnit.SECONDS), who);
    }

    /** A gateway at the other end shows a token, each time in a message of its own. */
    private String shown(String token) {
        return """
        <?xml version="1.0"?><Message messageId="%1$d1" random="%1$d">
        <AuthorizationIndication componentId="%1$d0"><Role>destination</Role>
        <CallId encoding="base64">MQ==</CallId>
        <SourceInfo type="e164">14048724799</SourceInfo>
        <DestinationInfo type="e164">1678</DestinationInfo>
        <Token encoding="base64">%2$s</Token></AuthorizationIndication></Message>
        """
                .formatted(++messages, token);
    }

    private static String code(HttpResponse<String> answer) {
        assertEquals(200, answer.statusCode(), answer::body);
        return found(CODE, answer);
    }

    private static String found(Pattern what, HttpResponse<String> answer) {
        Matcher matcher = what.matcher(answer.body());
        assertTrue(matcher.find(), answer::body);
        return matcher.group(1);
    }
}
