import org.lrwp.sdk.PeerRequest;
import org.lrwp.sdk.PeerResponse;

import java.util.concurrent.TimeUnit;

/** Work of ten seconds, given up when nobody waits for its end any more. */
final class Slow {
    public static void main(String[] arguments) throws Exception {
        Options.peer(arguments, Slow::work).connect().awaitClosed();
    }

    private static PeerResponse work(PeerRequest request) throws InterruptedException {
        System.out.println("began");
        try {
            TimeUnit.SECONDS.sleep(10); // interrupted when the request is cancelled
        } catch (InterruptedException e) {
            System.out.println("cancelled");
            throw e;
        }
        return PeerResponse.text(200, "done\n");
    }
}
