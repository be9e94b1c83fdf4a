package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.Frame;
import org.lrwp.testkit.wire.FramePeer;
import org.lrwp.testkit.wire.ScriptedPeer;

import java.util.Optional;

/** Answers that have no body, interim ones, and expectations: RFC 9110. */
@SystemTest
@ServerConfig
class AnswerFramingIT {
    /** What a peer answers, whatever its version; the client's answer. */
    private static HttpAnswer answered(
            int version, String method, String output, RawHttp client, Scene scene)
            throws Exception {
        if (version == 1) {
            ScriptedPeer peer = scene.peer();
            client.request(method, scene.path("/x"));
            peer.request();
            peer.answer(output);
        } else {
            FramePeer peer = scene.framePeer();
            client.request(method, scene.path("/x"));
            int stream = peer.request("/x").stream();
            peer.send(Frame.of(Frame.RESPONSE, stream, output).ending());
        }
        return method.equals("HEAD") ? client.answerToHead() : client.answer();
    }

    /** Sections 6.4.1, 8.6, 15.3.5, 15.3.6 and 15.4.5. */
    @ParameterizedTest
    @CsvSource({
        "1, GET, 204", "1, GET, 205", "1, GET, 304", "1, HEAD, 304", "1, POST, 204",
        "3, GET, 204", "3, GET, 205", "3, GET, 304", "3, HEAD, 304", "3, HEAD, 205"
    })
    void answerWithoutBodySaysNothingOfOne(int version, String method, int status, Scene scene)
            throws Exception {
        RawHttp client = scene.client();
        String head = "Status: " + status + " X\r\nContent-Type: text/plain\r\n";

        HttpAnswer answer =
                answered(
                        version,
                        method,
                        head + "Content-Length: 4\r\nETag: \"e\"\r\n\r\nbody",
                        client,
                        scene);

        assertEquals(status, answer.status());
        assertEquals(Optional.of("\"e\""), answer.value("ETag"));
        assertEquals(Optional.empty(), answer.value("Transfer-Encoding"));
        Optional<String> length = answer.value("Content-Length");
        assertTrue(length.isEmpty() || (status == 205 && length.get().equals("0")), length::get);
        assertEquals("", answer.text());
        scene.requireNext(client);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void answerToHeadHasTheLengthOfTheBodyThatItWouldHave(int version, Scene scene)
            throws Exception {
        RawHttp client = scene.client();
        String output = "Content-Type: text/plain\r\nContent-Length: 4\r\n\r\nbody";

        HttpAnswer answer = answered(version, "HEAD", output, client, scene);

        assertEquals(Optional.of("4"), answer.value("Content-Length"));
        scene.requireNext(client);
    }

    /** Section 15.2: an interim answer is no answer. */
    @ParameterizedTest
    @CsvSource({"1, 100", "1, 101", "1, 103", "3, 100", "3, 101", "3, 103", "3, 199"})
    void interimAnswerOfAPeerIsABadGateway(int version, int status, Scene scene) throws Exception {
        RawHttp client = scene.client();
        String output = "Status: " + status + " X\r\nUpgrade: x\r\nContent-Type: a/b\r\n\r\nbody";

        HttpAnswer answer = answered(version, "GET", output, client, scene);

        Answers.requireError(502, "broken-head", answer);
        scene.requireNext(client);
    }

    /** Section 10.1.1. */
    @ParameterizedTest
    @ValueSource(strings = {"200-ok", "100-continue, more", "100-continue=1"})
    void unknownExpectationFailsAndReachesNoPeer(String expectation, Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.post("/x", Bytes.of("body"), "Expect: " + expectation);

        HttpAnswer answer = client.answer();
        assertEquals(417, answer.status(), answer.toString());
        peer.requireAlive();
        scene.requireNext(client);
    }

    @Test
    void knownExpectationIsMetInAnyCaseAndIgnoredInHttp10(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.post("/1", Bytes.of("body"), "Expect: 100-Continue");
        Answers3.requireServed(peer, "/1", "met", client);

        RawHttp old = scene.client();
        old.send("GET " + scene.path("/2") + " HTTP/1.0\r\nExpect: nothing\r\n\r\n");
        Answers3.requireServed(peer, "/2", "ignored", old);
    }
}
