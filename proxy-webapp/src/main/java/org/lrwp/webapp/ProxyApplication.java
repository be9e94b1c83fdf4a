package org.lrwp.webapp;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;

import org.jspecify.annotations.Nullable;

/** Starts and stops the proxy with the web application; one that runs already gets its servlet. */
public final class ProxyApplication implements ServletContextListener {
    private @Nullable Proxy proxy;

    /** Creates the listener, for the container. */
    public ProxyApplication() {}

    @Override
    public void contextInitialized(ServletContextEvent event) {
        Proxy found = Proxy.of(event.getServletContext());
        proxy = found;
        found.enter(event.getServletContext());
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {
        Proxy entered = proxy;
        if (entered != null) {
            entered.leave();
        }
    }
}
