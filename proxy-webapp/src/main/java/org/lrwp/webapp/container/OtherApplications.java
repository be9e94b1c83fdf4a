package org.lrwp.webapp.container;

import org.apache.catalina.Container;
import org.apache.catalina.ContainerEvent;
import org.apache.catalina.ContainerListener;
import org.apache.catalina.Context;
import org.apache.catalina.Engine;
import org.apache.catalina.Host;
import org.apache.catalina.connector.Connector;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The applications that share the container with this one: their requests are never for peers. The
 * container tells when one comes or goes, and when a virtual server does. What virtual servers a
 * listener has it tells nobody, so that is asked for with each request. Any thread.
 */
final class OtherApplications implements ContainerListener, AutoCloseable {
    /** A virtual server, and the context roots of others there. */
    private record Server(Host host, List<String> roots) {
        /** Whether it gets requests of a listener; null is a port that the container has not. */
        boolean isAt(@Nullable Connector listener) {
            String[] names = host.getNetworkListenerNames();
            return listener == null
                    || names == null
                    || Arrays.asList(names).contains(listener.getName());
        }

        boolean hasRootOf(String path) {
            for (String root : roots) {
                if (path.startsWith(root)
                        && (path.length() == root.length() || path.charAt(root.length()) == '/')) {
                    return true;
                }
            }
            return false;
        }
    }

    private final Context own;
    private volatile Map<String, Server> servers = Map.of();

    /**
     * Begins to listen.
     *
     * @param own this application
     */
    OtherApplications(Context own) {
        this.own = own;
        Engine engine = engine();
        if (engine != null) {
            engine.addContainerListener(this);
        }
        hosts().forEach(host -> host.addContainerListener(this));
        read();
    }

    /**
     * Says whether a request is for another application.
     *
     * @param port that it came by
     * @param host in lower case, without port
     * @param path decoded
     */
    boolean own(int port, String host, String path) {
        Connector listener = listener(port);
        Server server = servers.get(host);
        if (server == null || !server.isAt(listener)) {
            server = servers.get(usual(listener));
        }
        return server != null && (!server.host().equals(own.getParent()) || server.hasRootOf(path));
    }

    /** The virtual server of requests that name none of the listener's. */
    private String usual(@Nullable Connector listener) {
        Container here = own.getParent();
        String name = listener == null ? null : listener.getDefaultHost();
        if (name == null) {
            name = here == null ? null : here.getName();
        }
        return name == null ? "" : name.toLowerCase(Locale.ROOT);
    }

    private @Nullable Connector listener(int port) {
        Engine engine = engine();
        if (engine != null && engine.getService() != null) {
            for (var one : engine.getService().findConnectors()) {
                if (one instanceof Connector known && known.getPort() == port) {
                    return known;
                }
            }
        }
        return null;
    }

    private @Nullable Engine engine() {
        Container host = own.getParent();
        return host != null && host.getParent() instanceof Engine engine ? engine : null;
    }

    private List<Host> hosts() {
        Engine engine = engine();
        List<Host> found = new ArrayList<>();
        if (engine != null) {
            for (Container one : engine.findChildren()) {
                if (one instanceof Host host) {
                    found.add(host);
                }
            }
        }
        return found;
    }

    private void read() {
        Map<String, Server> all = new HashMap<>();
        for (Host host : hosts()) {
            var server = new Server(host, roots(host));
            all.put(host.getName().toLowerCase(Locale.ROOT), server);
            for (String alias : host.findAliases()) {
                all.put(alias.toLowerCase(Locale.ROOT), server);
            }
        }
        servers = Map.copyOf(all);
    }

    private List<String> roots(Host host) {
        List<String> roots = new ArrayList<>();
        for (Container child : host.findChildren()) {
            String root = child instanceof Context context ? context.getPath() : "";
            if (!root.isEmpty() && !root.equals(own.getPath())) {
                roots.add(root);
            }
        }
        return List.copyOf(roots);
    }

    @Override
    public void containerEvent(ContainerEvent event) {
        switch (event.getType()) {
            case Container.ADD_CHILD_EVENT -> {
                if (event.getData() instanceof Host fresh) {
                    fresh.addContainerListener(this);
                }
                read();
            }
            case Container.REMOVE_CHILD_EVENT, Host.ADD_ALIAS_EVENT, Host.REMOVE_ALIAS_EVENT ->
                    read();
            default -> {}
        }
    }

    /** Leaves nothing of this application in the container. */
    @Override
    public void close() {
        Engine engine = engine();
        if (engine != null) {
            engine.removeContainerListener(this);
        }
        hosts().forEach(host -> host.removeContainerListener(this));
    }
}
