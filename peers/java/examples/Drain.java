import org.lrwp.sdk.LrwpPeer;
import org.lrwp.sdk.PeerResponse;

import java.util.concurrent.TimeUnit;

/**
 * Leaves in order: after SIGTERM open requests (of one second) are answered, new ones go elsewhere.
 */
final class Drain {
    public static void main(String[] arguments) throws Exception {
        LrwpPeer peer =
                Options.peer(
                                arguments,
                                request -> {
                                    System.out.println("began");
                                    TimeUnit.SECONDS.sleep(1);
                                    return PeerResponse.text(200, "done\n");
                                })
                        .connect();
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(
                                () -> {
                                    System.out.println("drain by=peer");
                                    peer.close(); // DRAIN, finish, leave
                                    System.out.println("drained");
                                }));
        peer.awaitClosed();
    }
}
