import org.lrwp.sdk.LrwpPeer;
import org.lrwp.sdk.PeerResponse;

import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.nio.charset.StandardCharsets;

/** The rig's peer with the Java SDK: executes each request once in the file $TORTURE_RECORD, then echoes it. */
public final class Peer {
    public static void main(String[] arguments) throws Exception {
        // No channel: the interrupt of a cancelled handler would close it for all.
        FileOutputStream record = new FileOutputStream(System.getenv("TORTURE_RECORD"), true);
        LrwpPeer peer =
                LrwpPeer.builder()
                        .proxy(arguments[1])
                        .context(arguments[3])
                        .concurrency(8)
                        .handler(
                                request -> {
                                    String id = request.header("X-Id") + "\n";
                                    record.write(id.getBytes(StandardCharsets.US_ASCII));
                                    ByteArrayOutputStream answer = new ByteArrayOutputStream();
                                    String line = request.method() + " " + request.pathInfo() + "\n";
                                    answer.writeBytes(line.getBytes(StandardCharsets.ISO_8859_1));
                                    request.body().transferTo(answer);
                                    return PeerResponse.of("text/plain", answer.toByteArray());
                                })
                        .connect();
        Runtime.getRuntime().addShutdownHook(new Thread(peer::close));
        peer.awaitClosed();
    }
}
