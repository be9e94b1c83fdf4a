package org.lrwp.engine.peer.multiplexed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.lrwp.engine.spool.BodyEnding;
import org.lrwp.engine.spool.BodySource;
import org.lrwp.engine.testkit.MultiplexedPeer;
import org.lrwp.engine.testkit.RecordingWork;
import org.lrwp.engine.testkit.TestEngine;
import org.lrwp.protocol.frame.PeerSettings;

import java.nio.ByteBuffer;
import java.util.Objects;

class StreamRequestTest {
    private static final int FLAGS = 5;
    private static final int END = 1;

    /** Its last bytes are there before its end, which comes while somebody looks for it. */
    private static final class EndsWhileLookedAt implements BodySource {
        private @Nullable ByteBuffer bytes = TestEngine.bytes("last");
        private boolean looked;

        @Override
        public @Nullable ByteBuffer poll() {
            ByteBuffer next = bytes;
            bytes = null;
            return next;
        }

        @Override
        public BodyEnding ending() {
            boolean before = looked;
            looked = true;
            return before ? BodyEnding.COMPLETE : BodyEnding.OPEN;
        }

        @Override
        public boolean isWhole() {
            return looked;
        }

        @Override
        public long unread() {
            return bytes == null ? 0 : bytes.remaining();
        }

        @Override
        public void onReady(Runnable listener) {}
    }

    private static int flags(@Nullable OutFrame frame) {
        ByteBuffer copy = ByteBuffer.allocate(100);
        Objects.requireNonNull(frame, "no frame").copyTo(copy);
        return copy.get(FLAGS);
    }

    @Test
    void aBodyThatEndsWhileAFrameIsMadeHasOneFrameMoreWithItsEnd() {
        var peer =
                MultiplexedPeer.anOpenPeer(
                        new TestEngine(), new RecordingWork(), MultiplexedPeer.streaming(1));
        var stream = new PeerStream(peer.connection());
        var request = new StreamRequest(stream, 1, new EndsWhileLookedAt(), PeerSettings.DEFAULT);

        assertEquals(0, flags(request.start(TestEngine.bytes("ID=r1"), new RequestHeads())));
        assertEquals(END, flags(request.next()));
        assertNull(request.next());
    }
}
