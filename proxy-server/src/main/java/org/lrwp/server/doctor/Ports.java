package org.lrwp.server.doctor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Whether the ports can be had, and who has them.
 *
 * @param httpAddress where clients are served
 * @param httpPort its port
 * @param owners say whose a taken port is
 */
record Ports(String httpAddress, int httpPort, PortOwners owners) implements Examination {
    private static final String AREA = "ports";

    /**
     * What the proxy will listen for.
     *
     * @param who dials it, and the key of its port
     */
    private record Listener(String who, String address, int port) {
        String place() {
            return address + ":" + port;
        }
    }

    @Override
    public void look(Settings settings, Consumer<Finding> findings) {
        // Kept until all have been tried: two listeners may want the same port.
        Map<Listener, ServerSocket> held = new LinkedHashMap<>();
        try {
            for (Listener one : listeners(settings)) {
                if (one.port() != 0) {
                    findings.accept(probe(one, held));
                }
            }
        } finally {
            held.values().forEach(Ports::close);
        }
    }

    private List<Listener> listeners(Settings settings) {
        List<Listener> all = new ArrayList<>();
        all.add(new Listener("clients (HTTP)", httpAddress, httpPort));
        all.add(listener("peers", "agent.", settings));
        if (!settings.text("agent.tls.certificate").isEmpty()) {
            all.add(listener("peers with TLS", "agent.tls.", settings));
        }
        all.add(listener("clients with TLS", "https.", settings));
        if (!settings.text("cluster.nats").isEmpty()) {
            all.add(listener("other nodes", "cluster.", settings));
        }
        return all;
    }

    private static Listener listener(String who, String family, Settings settings) {
        String key = family + "port";
        return new Listener(
                who + " (" + key + ")",
                settings.text(family + "address"),
                (int) settings.number(key));
    }

    private Finding probe(Listener wanted, Map<Listener, ServerSocket> held) {
        try {
            held.put(wanted, listen(wanted));
            return Finding.ok(AREA, wanted.place() + " is free for " + wanted.who());
        } catch (IOException e) {
            String head = wanted.place() + " cannot be had for " + wanted.who();
            return held.entrySet().stream()
                    .filter(other -> isInTheWay(other.getValue(), wanted))
                    .findFirst()
                    .map(other -> Finding.fault(AREA, head + shared(other.getKey())))
                    .orElseGet(() -> Finding.fault(AREA, head + taken(wanted.port(), e)));
        }
    }

    /** The same port is another one at another address. */
    private static boolean isInTheWay(ServerSocket held, Listener wanted) {
        try {
            InetAddress one = held.getInetAddress();
            InetAddress other = InetAddress.getByName(wanted.address());
            return held.getLocalPort() == wanted.port()
                    && (one.equals(other) || one.isAnyLocalAddress() || other.isAnyLocalAddress());
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static String shared(Listener other) {
        return ": it is for " + other.who() + " already: choose another port for one of them";
    }

    private String taken(int port, IOException e) {
        String owner = owners.of(port);
        return " (%s): choose another port, or stop that program; if it is the proxy, all is well"
                .formatted(owner.isEmpty() ? e.getMessage() : "taken by " + owner);
    }

    private static ServerSocket listen(Listener wanted) throws IOException {
        var socket = new ServerSocket();
        try {
            socket.setReuseAddress(true);
            InetAddress address = InetAddress.getByName(wanted.address());
            socket.bind(new InetSocketAddress(address, wanted.port()), 1);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private static void close(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
