import org.lrwp.sdk.LrwpPeer;
import org.lrwp.sdk.PeerResponse;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The rig's peer with the Java SDK: executes each request once in the file $TORTURE_RECORD, then echoes it. */
public final class Peer {
    public static void main(String[] arguments) throws Exception {
        FileChannel record =
                FileChannel.open(
                        Path.of(System.getenv("TORTURE_RECORD")),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
        LrwpPeer peer =
                LrwpPeer.builder()
                        .proxy(arguments[1])
                        .context(arguments[3])
                        .concurrency(8)
                        .handler(
                                request -> {
                                    String id = request.header("X-Id") + "\n";
                                    record.write(ByteBuffer.wrap(id.getBytes(StandardCharsets.US_ASCII)));
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
