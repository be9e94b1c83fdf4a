package org.lrwp.systemtests.harness;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Ports that nobody listens on. */
public final class FreePorts {
    /** Below the ports that systems give to outgoing connections: those could take ours away. */
    private static final int LOWEST = 10_000;

    private static final int HIGHEST = 30_000;

    private FreePorts() {}

    /** One port. */
    public static int one() {
        return several(1).getFirst();
    }

    /** Different ports. */
    public static List<Integer> several(int count) {
        Set<Integer> ports = new LinkedHashSet<>();
        while (ports.size() < count) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
            try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                ports.add(probe.getLocalPort());
            } catch (IOException taken) {
                // The next one may be free.
            }
        }
        return List.copyOf(ports);
    }
}
