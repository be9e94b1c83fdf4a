package org.lrwp.webapp.container;

import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;

import org.apache.catalina.Authenticator;
import org.apache.catalina.Container;
import org.apache.catalina.core.ServletRegistrationImpl;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.core.StandardWrapper;
import org.glassfish.web.valve.GlassFishValve;
import org.jspecify.annotations.Nullable;

/**
 * This application in the servlet container. What each of its requests would pay for and none needs
 * is left out: the container's authenticator, where nothing is protected, which costs a twelfth of
 * a proxied request's CPU and a quarter of its memory; and its listener of the servlet, a
 * twentieth. Where somebody has added a filter, a security constraint or an authentication module
 * to the application, it stays.
 */
final class OwnContext {
    private final StandardContext context;

    private OwnContext(StandardContext context) {
        this.context = context;
    }

    /**
     * Finds the application in the container.
     *
     * @param application as given to a context listener
     * @return null when it is not to be found there
     */
    static @Nullable OwnContext find(ServletContext application) {
        for (ServletRegistration one : application.getServletRegistrations().values()) {
            if (one instanceof ServletRegistrationImpl known) {
                return new OwnContext(known.getContext());
            }
        }
        return null;
    }

    /**
     * Takes the authenticator away. To be called while the application starts: once there are
     * requests, the container walks the list of valves without a lock.
     */
    void shorten() {
        for (GlassFishValve valve : context.getPipeline().getValves()) {
            if (valve instanceof Authenticator) {
                context.getPipeline().removeValve(valve);
            }
        }
    }

    /**
     * Adds a servlet that gets all requests, without the listener that the container gives to each:
     * it tells the application's naming and transactions of every request, which this one has not.
     */
    void add(String name, Servlet servlet) {
        var wrapper = new StandardWrapper();
        wrapper.setName(name);
        wrapper.setServlet(servlet);
        wrapper.setLoadOnStartup(1);
        wrapper.setIsAsyncSupported(true);
        context.addChild(wrapper);
        context.addServletMapping("/*", name);
    }

    /**
     * What of a virtual server may look at each answer, such as its access log; empty = nothing.
     */
    String observer() {
        Container host = context.getParent();
        return host == null || host.getPipeline().hasNonBasicValves()
                ? "the virtual server has a valve, such as an access log"
                : "";
    }

    /** The other applications beside this one. */
    OtherApplications others() {
        return new OtherApplications(context);
    }

    /** Whether nobody but the application's own servlet has to see its requests. */
    boolean isBare() {
        return !context.hasConstraints()
                && context.findFilterDefs().length == 0
                && (context.getRealm() == null
                        || !context.getRealm()
                                .isSecurityExtensionEnabled(context.getServletContext()));
    }
}
