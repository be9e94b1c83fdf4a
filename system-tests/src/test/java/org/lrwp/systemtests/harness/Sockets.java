package org.lrwp.systemtests.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What Linux says about connections on this machine. */
public final class Sockets {
    /** Java's connections are in the second one. */
    private static final List<Path> TABLES =
            List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));

    private static final int REMOTE = 2;
    private static final int STATE = 3;
    private static final int QUEUES = 4;
    private static final String ESTABLISHED = "01";
    private static final int HEX = 16;

    private Sockets() {}

    /** Bytes that were sent from a port and that the other side has not read. */
    public static long unread(int port) throws IOException {
        String suffix = ":%04X".formatted(port);
        long sum = 0;
        for (Path table : TABLES) {
            for (String line : Files.readAllLines(table)) {
                String[] columns = line.strip().split("\\s+", -1);
                if (columns[REMOTE].endsWith(suffix) && columns[STATE].equals(ESTABLISHED)) {
                    String queues = columns[QUEUES];
                    sum += Long.parseLong(queues.substring(queues.indexOf(':') + 1), HEX);
                }
            }
        }
        return sum;
    }
}
