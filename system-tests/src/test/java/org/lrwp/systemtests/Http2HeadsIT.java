package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.systemtests.harness.Http2Client;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.testkit.wire.Bytes;

import java.io.IOException;
import java.util.Collections;

/** Clients of HTTP/2 that begin a head or a preface without an end, or read nothing. */
@SystemTest
@ServerConfig(value = "slow-clients", http2 = true)
class Http2HeadsIT {
    private static final int ENHANCE_YOUR_CALM = 11;
    private static final int MOST_FRAMES = 64;
    private static final int MANY = 1000;
    private static final byte[] NOTHING =
            Http2Client.frame(Http2Client.CONTINUATION, 0, 1, new byte[0]);

    /** The same frame without its end of the head. */
    private static byte[] begun(Scene scene) {
        byte[] whole = Http2Client.get(1, scene.path("/x"));
        whole[4] = 1;
        return whole;
    }

    private static Http2Client client(Scene scene) throws IOException {
        return scene.closing(Http2Client.to(scene.proxy().httpPort()));
    }

    private static void requireTold(Scene scene, Http2Client client) throws Exception {
        assertEquals(ENHANCE_YOUR_CALM, client.await(Http2Client.GOAWAY).errorCode());
        client.requireEnd();
        assertTrue(scene.proxy().output().contains("http2-cut"), "nothing in the log");
        scene.requireNext(scene.client());
    }

    @Test
    void headWithoutEndEndsTheConnectionInTime(Scene scene) throws Exception {
        Http2Client client = client(scene);
        client.send(begun(scene), NOTHING);

        requireTold(scene, client);
    }

    @Test
    void headInManyEmptyFramesEndsTheConnection(Scene scene) throws Exception {
        Http2Client client = client(scene);
        client.send(begun(scene));
        for (int i = 0; i < MOST_FRAMES; i++) {
            client.send(NOTHING);
        }

        requireTold(scene, client);
    }

    @Test
    void prefaceWithoutSettingsEndsTheConnectionInTime(Scene scene) throws Exception {
        Http2Client client = scene.closing(Http2Client.silent(scene.proxy().httpPort()));
        client.begin(Http2Client.PREFACE_BYTES);

        requireTold(scene, client);
    }

    @Test
    void partOfThePrefaceEndsTheConnectionInTime(Scene scene) throws Exception {
        Http2Client client = scene.closing(Http2Client.silent(scene.proxy().httpPort()));
        client.begin(Http2Client.PREFACE_BYTES - 1);

        client.requireEnd();
        scene.requireNext(scene.client());
    }

    @Test
    void clientThatAsksInMassesAndReadsNothingIsCut(Scene scene) throws Exception {
        Http2Client client = client(scene);
        byte[] ping = Http2Client.frame(Http2Client.PING, 0, 0, new byte[Long.BYTES]);
        byte[] pings = Bytes.join(Collections.nCopies(MANY, ping).toArray(new byte[0][]));

        assertThrows(
                IOException.class,
                () -> {
                    while (true) {
                        client.send(pings);
                    }
                });

        scene.requireNext(scene.client());
    }
}
