package org.lrwp.webapp.glassfish;

import org.apache.catalina.Context;
import org.apache.catalina.Pipeline;
import org.apache.catalina.Realm;
import org.apache.catalina.authenticator.BasicAuthenticator;
import org.apache.catalina.authenticator.NonLoginAuthenticator;
import org.apache.catalina.deploy.LoginConfig;
import org.glassfish.web.valve.GlassFishValve;

import java.lang.System.Logger.Level;

/**
 * Takes the container's security check away from an application that protects nothing. The
 * container would see that by itself, but from Java 24 on its memory of what is open to all stays
 * empty, and it asks its policy for each request: an eighth of what a small request allocates.
 */
final class OpenContext {
    private static final System.Logger LOG = System.getLogger(OpenContext.class.getName());

    private OpenContext() {}

    /** Whether nobody has chosen how to log in: GlassFish then takes BASIC, without a realm. */
    private static boolean isDefault(Context context) {
        LoginConfig login = context.getLoginConfig();
        return login != null && (login.getRealmName() == null || login.getRealmName().isEmpty());
    }

    /** Takes the check away, unless there is something to check. Requests may be under way. */
    static void of(Context context) {
        Realm realm = context.getRealm();
        if (context.hasConstraints()
                || (realm != null
                        && realm.isSecurityExtensionEnabled(context.getServletContext()))) {
            return;
        }
        Pipeline pipeline = context.getPipeline();
        for (GlassFishValve valve : pipeline.getValves()) {
            if (valve instanceof NonLoginAuthenticator
                    || (valve instanceof BasicAuthenticator && isDefault(context))) {
                pipeline.removeValve(valve);
                LOG.log(Level.DEBUG, "security-check-left-out root=\"{0}\"", context.getPath());
            }
        }
    }
}
