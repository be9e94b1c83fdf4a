package org.lrwp.webapp.glassfish;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;

import org.apache.catalina.Authenticator;
import org.apache.catalina.core.ServletRegistrationImpl;
import org.apache.catalina.core.StandardContext;
import org.glassfish.web.valve.GlassFishValve;
import org.jspecify.annotations.Nullable;

/**
 * This application in the servlet container. What each of its requests would pay for and none needs
 * is left out: the container's authenticator, where nothing is protected. It costs a twelfth of a
 * proxied request's CPU and a quarter of its memory. Where somebody has added a filter, a security
 * constraint or an authentication module to the application, it stays.
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
     * Takes the authenticator away where it has nothing to do. To be called while the application
     * starts: once there are requests, the container walks the list of valves without a lock.
     */
    void shorten() {
        if (!isBare()) {
            return;
        }
        for (GlassFishValve valve : context.getPipeline().getValves()) {
            if (valve instanceof Authenticator) {
                context.getPipeline().removeValve(valve);
            }
        }
    }

    private boolean isBare() {
        return !context.hasConstraints()
                && context.findFilterDefs().length == 0
                && (context.getRealm() == null
                        || !context.getRealm()
                                .isSecurityExtensionEnabled(context.getServletContext()));
    }
}
