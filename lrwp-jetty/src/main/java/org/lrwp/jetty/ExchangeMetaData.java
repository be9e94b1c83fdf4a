package org.lrwp.jetty;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpScheme;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.util.Attributes;
import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.network.Network;
import org.lrwp.sdk.PeerExchange;
import org.lrwp.sdk.RequestHead;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicLong;

/** The client's connection, as the env block of a request describes it. */
final class ExchangeMetaData extends Attributes.Lazy implements ConnectionMetaData {
    private static final AtomicLong NUMBERS = new AtomicLong();

    private final LrwpConnector connector;
    private final HttpVersion version;
    private final boolean secure;
    private final InetSocketAddress remote;
    private final InetSocketAddress local;
    private final @Nullable TunnelEndPoint tunnel;
    private final Connection connection;
    private final String id = "lrwp-" + NUMBERS.incrementAndGet();

    ExchangeMetaData(LrwpConnector connector, MetaData.Request request, PeerExchange exchange) {
        RequestHead head = exchange.request();
        this.connector = connector;
        this.version = request.getHttpVersion();
        this.secure = HttpScheme.HTTPS.is(request.getHttpURI().getScheme());
        this.remote = address(head, "REMOTE_ADDR", "REMOTE_PORT");
        this.local = address(head, "SERVER_NAME", "SERVER_PORT");
        boolean mayGoOver = request.getHttpFields().contains(HttpHeader.UPGRADE);
        this.tunnel = mayGoOver ? new TunnelEndPoint(connector, exchange, local, remote) : null;
        this.connection = tunnel == null ? connector.connection() : new DialledConnection(tunnel);
    }

    /** An address with its number; a name is looked up nowhere, and stays unresolved. */
    private static InetSocketAddress address(RequestHead head, String name, String port) {
        String host = head.environment().getOrDefault(name, "");
        int number = RequestMetaData.port(head.variable(port));
        try {
            return new InetSocketAddress(Network.address(host), number);
        } catch (IllegalArgumentException e) {
            return InetSocketAddress.createUnresolved(host, number);
        }
    }

    @Override
    public String getId() {
        return id;
    }

    @Override
    public HttpConfiguration getHttpConfiguration() {
        return connector.configuration();
    }

    @Override
    public HttpVersion getHttpVersion() {
        return version;
    }

    @Override
    public String getProtocol() {
        return version.asString();
    }

    @Override
    public Connection getConnection() {
        return connection;
    }

    /** Where the client is when it goes over to another protocol; null when it does not ask. */
    @Nullable TunnelEndPoint tunnel() {
        return tunnel;
    }

    @Override
    public Connector getConnector() {
        return connector;
    }

    /** What is left of a body harms no next request, as each exchange is for itself. */
    @Override
    public boolean isPersistent() {
        return false;
    }

    @Override
    public boolean isSecure() {
        return secure;
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return remote;
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return local;
    }
}
