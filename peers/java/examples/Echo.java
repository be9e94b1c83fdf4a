import org.lrwp.sdk.PeerResponse;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Answers each request with its method, its path and its body. */
final class Echo {
    public static void main(String[] arguments) throws Exception {
        Options.peer(
                        arguments,
                        request -> {
                            ByteArrayOutputStream answer = new ByteArrayOutputStream();
                            String line = request.method() + " " + request.pathInfo() + "\n";
                            answer.writeBytes(line.getBytes(StandardCharsets.ISO_8859_1));
                            request.body().transferTo(answer);
                            return PeerResponse.of("text/plain", answer.toByteArray())
                                    .with("X-Peer", "java");
                        })
                .connect()
                .awaitClosed();
    }
}
