package org.lrwp.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Free ports of the loopback address. */
final class Ports {
    /** Below the ports that systems give to outgoing connections: those could take ours away. */
    private static final int LOWEST = 10_000;

    private static final int HIGHEST = 30_000;

    private Ports() {}

    static int free() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
            try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return probe.getLocalPort();
            } catch (IOException taken) {
                // The next one may be free.
            }
        }
    }
}
