package org.lrwp.server.doctor;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
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

    @Override
    public void look(Settings settings, Consumer<Finding> findings) {
        probe("clients (HTTP)", httpAddress, httpPort, findings);
        probe(
                "peers (agent.port)",
                settings.text("agent.address"),
                (int) settings.number("agent.port"),
                findings);
        if (!settings.text("agent.tls.certificate").isEmpty()) {
            probe(
                    "peers with TLS (agent.tls.port)",
                    settings.text("agent.tls.address"),
                    (int) settings.number("agent.tls.port"),
                    findings);
        }
        probe(
                "clients with TLS (https.port)",
                settings.text("https.address"),
                (int) settings.number("https.port"),
                findings);
        if (!settings.text("cluster.nats").isEmpty()) {
            probe(
                    "other nodes (cluster.port)",
                    settings.text("cluster.address"),
                    (int) settings.number("cluster.port"),
                    findings);
        }
    }

    private void probe(String who, String address, int port, Consumer<Finding> findings) {
        if (port == 0) {
            return;
        }
        String place = address + ":" + port;
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(InetAddress.getByName(address), port), 1);
            findings.accept(Finding.ok(AREA, place + " is free for " + who));
        } catch (IOException e) {
            String owner = owners.of(port);
            String reason = owner.isEmpty() ? String.valueOf(e.getMessage()) : "taken by " + owner;
            findings.accept(
                    Finding.fault(
                            AREA,
                            "%s cannot be had for %s (%s): choose another port, or stop that program; if it is the proxy, all is well"
                                    .formatted(place, who, reason)));
        }
    }
}
