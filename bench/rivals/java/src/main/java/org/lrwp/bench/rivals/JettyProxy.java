package org.lrwp.bench.rivals;

import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.proxy.ProxyHandler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

import java.time.Duration;

/** Jetty's reverse proxy: asynchronous, connections to the back end are kept, no request log. */
public final class JettyProxy {
    private static final int CONNECTIONS_TO_BACK_END = 1024;
    private static final int BACKLOG = 4096;
    private static final Duration IDLE = Duration.ofMinutes(10);

    private JettyProxy() {}

    /**
     * Starts the proxy; it runs until the process is ended.
     *
     * @param arguments its port and the back end's
     * @throws Exception when it cannot be started
     */
    public static void main(String[] arguments) throws Exception {
        Ports ports = Ports.of(arguments);
        Server server = new Server();
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(http));
        connector.setHost(Ports.LOOPBACK);
        connector.setPort(ports.http());
        connector.setAcceptQueueSize(BACKLOG);
        connector.setIdleTimeout(IDLE.toMillis());
        server.addConnector(connector);
        server.setHandler(new ToBackEnd(ports.backEnd()));
        server.start();
        Ports.ready();
        server.join();
    }

    private static final class ToBackEnd extends ProxyHandler.Reverse {
        ToBackEnd(int port) {
            super(
                    request ->
                            HttpURI.build(request.getHttpURI())
                                    .scheme("http")
                                    .authority(Ports.LOOPBACK, port));
        }

        @Override
        protected void configureHttpClient(HttpClient client) {
            super.configureHttpClient(client);
            client.setMaxConnectionsPerDestination(CONNECTIONS_TO_BACK_END);
            client.setIdleTimeout(IDLE.toMillis());
        }
    }
}
