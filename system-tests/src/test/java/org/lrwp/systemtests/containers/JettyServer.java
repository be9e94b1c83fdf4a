package org.lrwp.systemtests.containers;

import org.eclipse.jetty.ee10.webapp.WebAppContext;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/** Jetty with one application. */
final class JettyServer {
    private JettyServer() {}

    /** Arguments: HTTP port, WAR, context root (empty for the root), an empty folder. */
    public static void main(String[] arguments) throws Exception {
        String root = arguments[2].isEmpty() ? "/" : arguments[2];
        WebAppContext application = new WebAppContext(arguments[1], root);
        application.setTempDirectory(Path.of(arguments[3]).toFile());
        ContextHandlerCollection all = new ContextHandlerCollection(application);
        Server server =
                new Server(
                        new InetSocketAddress(
                                InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])));
        server.setHandler(all);
        server.start();

        Orders.obey(
                application.isAvailable(),
                () -> {
                    application.stop();
                    all.removeHandler(application);
                });
        server.stop();
    }
}
