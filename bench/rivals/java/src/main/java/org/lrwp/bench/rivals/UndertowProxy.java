package org.lrwp.bench.rivals;

import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.server.handlers.ResponseCodeHandler;
import io.undertow.server.handlers.proxy.LoadBalancingProxyClient;
import io.undertow.server.handlers.proxy.ProxyHandler;

import org.xnio.Options;

import java.net.URI;

/** Undertow's reverse proxy: an I/O thread for each processor, connections kept, no access log. */
public final class UndertowProxy {
    private static final int CONNECTIONS_PER_THREAD = 512;
    private static final int BACKLOG = 4096;

    private UndertowProxy() {}

    /**
     * Starts the proxy; it runs until the process is ended.
     *
     * @param arguments its port and the back end's
     */
    public static void main(String[] arguments) {
        Ports ports = Ports.of(arguments);
        LoadBalancingProxyClient backEnd =
                new LoadBalancingProxyClient()
                        // First: a host takes over what is set when it is added.
                        .setConnectionsPerThread(CONNECTIONS_PER_THREAD)
                        .addHost(URI.create("http://" + Ports.LOOPBACK + ":" + ports.backEnd()));
        Undertow.builder()
                .addHttpListener(ports.http(), Ports.LOOPBACK)
                .setIoThreads(Runtime.getRuntime().availableProcessors())
                .setSocketOption(Options.BACKLOG, BACKLOG)
                .setServerOption(UndertowOptions.ALWAYS_SET_KEEP_ALIVE, false)
                .setHandler(
                        ProxyHandler.builder()
                                .setProxyClient(backEnd)
                                .setNext(ResponseCodeHandler.HANDLE_404)
                                .build())
                .build()
                .start();
        Ports.ready();
    }
}
