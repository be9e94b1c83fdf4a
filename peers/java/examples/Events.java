import org.lrwp.sdk.PeerResponse;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Server-sent events: ten, one each half second. A virtual thread for each listener. */
final class Events {
    public static void main(String[] arguments) throws Exception {
        Options.peer(arguments, request -> PeerResponse.streamed("text/event-stream", Events::tick))
                .connect()
                .awaitClosed();
    }

    private static void tick(OutputStream out) throws Exception {
        try {
            for (int number = 1; number <= 10; number++) {
                System.out.println("event " + number);
                String event = "id: %1$d\ndata: tick %1$d\n\n".formatted(number);
                out.write(event.getBytes(StandardCharsets.UTF_8));
                out.flush();
                if (number < 10) {
                    TimeUnit.MILLISECONDS.sleep(500);
                }
            }
        } catch (InterruptedException | IOException e) {
            System.out.println("cancelled");
            throw e;
        }
    }
}
