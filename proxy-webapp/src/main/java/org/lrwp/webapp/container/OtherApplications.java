package org.lrwp.webapp.container;

import org.apache.catalina.Container;
import org.apache.catalina.ContainerEvent;
import org.apache.catalina.ContainerListener;
import org.apache.catalina.Context;
import org.apache.catalina.Host;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The applications that share the container with this one: their requests are never for peers. The
 * container tells when one comes or goes. Any thread.
 */
final class OtherApplications implements ContainerListener, AutoCloseable {
    /** What a virtual server has: other roots, and whether this application is there too. */
    private record Server(List<String> roots, boolean shared) {
        boolean owns(String path) {
            if (!shared) {
                return true;
            }
            for (String root : roots) {
                if (path.startsWith(root)
                        && (path.length() == root.length() || path.charAt(root.length()) == '/')) {
                    return true;
                }
            }
            return false;
        }
    }

    private static final Server NOTHING = new Server(List.of(), true);

    private final Context own;
    private volatile Map<String, Server> servers = Map.of();
    private volatile Server usual = NOTHING;

    /**
     * Begins to listen.
     *
     * @param own this application
     */
    OtherApplications(Context own) {
        this.own = own;
        for (Container host : hosts()) {
            host.addContainerListener(this);
        }
        read();
    }

    /**
     * Says whether a request is for another application.
     *
     * @param host in lower case, without port
     * @param path decoded
     */
    boolean own(String host, String path) {
        Server server = servers.get(host);
        return (server == null ? usual : server).owns(path);
    }

    private Container[] hosts() {
        Container host = own.getParent();
        Container engine = host == null ? null : host.getParent();
        return engine == null ? new Container[0] : engine.findChildren();
    }

    private void read() {
        Map<String, Server> all = new HashMap<>();
        for (Container one : hosts()) {
            Server server = server(one);
            all.put(one.getName().toLowerCase(Locale.ROOT), server);
            if (one instanceof Host host) {
                for (String alias : host.findAliases()) {
                    all.put(alias.toLowerCase(Locale.ROOT), server);
                }
            }
            if (one.equals(own.getParent())) {
                usual = server;
            }
        }
        servers = Map.copyOf(all);
    }

    private Server server(Container host) {
        List<String> roots = new ArrayList<>();
        boolean shared = host.equals(own.getParent());
        for (Container child : host.findChildren()) {
            String root = child instanceof Context context ? context.getPath() : "";
            if (root.equals(own.getPath())) {
                shared = true;
            } else if (!root.isEmpty()) {
                roots.add(root);
            }
        }
        return new Server(List.copyOf(roots), shared);
    }

    @Override
    public void containerEvent(ContainerEvent event) {
        switch (event.getType()) {
            case Container.ADD_CHILD_EVENT, Container.REMOVE_CHILD_EVENT -> read();
            default -> {}
        }
    }

    /** Leaves nothing of this application in the container. */
    @Override
    public void close() {
        for (Container host : hosts()) {
            host.removeContainerListener(this);
        }
    }
}
