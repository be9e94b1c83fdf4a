package org.lrwp.server.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds the process that listens on a TCP port, in the tables of Linux.
 *
 * @param proc the folder {@code /proc}
 */
record PortOwners(Path proc) {
    private static final String LISTENING = "0A";
    private static final int ADDRESS = 1;
    private static final int STATE = 3;
    private static final int INODE = 9;
    private static final int HEX = 16;

    /** Its number and name; empty when it cannot be found, or is somebody else's. */
    String of(int port) {
        Set<String> sockets = new HashSet<>();
        for (String table : List.of("tcp", "tcp6")) {
            sockets.addAll(sockets(proc.resolve("net").resolve(table), port));
        }
        try (Stream<Path> processes = Files.list(proc)) {
            return processes
                    .filter(process -> process.getFileName().toString().matches("\\d+"))
                    .filter(process -> holds(process, sockets))
                    .map(PortOwners::name)
                    .findFirst()
                    .orElse("");
        } catch (IOException e) {
            return "";
        }
    }

    private static Set<String> sockets(Path table, int port) {
        Set<String> found = new HashSet<>();
        try {
            for (String row : Files.readAllLines(table)) {
                String[] columns = row.strip().split("\\s+", -1);
                if (columns.length > INODE && columns[STATE].equals(LISTENING)) {
                    String local = columns[ADDRESS];
                    String number = local.substring(local.indexOf(':') + 1);
                    if (Integer.parseInt(number, HEX) == port) {
                        found.add("socket:[" + columns[INODE] + "]");
                    }
                }
            }
        } catch (IOException | NumberFormatException e) {
            // Without the table nobody is named.
            found.clear();
        }
        return found;
    }

    private static boolean holds(Path process, Set<String> sockets) {
        try (Stream<Path> descriptors = Files.list(process.resolve("fd"))) {
            return descriptors.anyMatch(one -> sockets.contains(target(one)));
        } catch (IOException e) {
            return false;
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException | UnsupportedOperationException e) {
            return "";
        }
    }

    private static String name(Path process) {
        String number = "process " + process.getFileName();
        try {
            return number + " (" + Files.readString(process.resolve("comm")).strip() + ")";
        } catch (IOException e) {
            return number;
        }
    }
}
