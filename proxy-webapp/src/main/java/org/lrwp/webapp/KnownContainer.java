package org.lrwp.webapp;

import jakarta.servlet.ServletContext;

/** The containers that the application runs in. */
enum KnownContainer {
    /** GlassFish 7 and 8, with Grizzly below the Servlet API. */
    GLASSFISH,
    /** Apache Tomcat 11: the Servlet API alone. */
    TOMCAT,
    /** Eclipse Jetty 12: the Servlet API alone. */
    JETTY;

    private static final String GRIZZLY = "org.glassfish.grizzly.nio.NIOConnection";
    private static final int SERVLET_MAJOR = 6;

    /**
     * Recognises a container by its classes, as administrators change the name that it gives.
     *
     * @param context of the application
     * @throws StartException when it is another one, or too old
     */
    static KnownContainer of(ServletContext context) {
        if (isThere(GRIZZLY)) {
            return GLASSFISH;
        }
        String kind = context.getClass().getName();
        boolean recent = context.getMajorVersion() >= SERVLET_MAJOR;
        if (recent && kind.startsWith("org.apache.catalina.")) {
            return TOMCAT;
        }
        if (recent && kind.startsWith("org.eclipse.jetty.")) {
            return JETTY;
        }
        throw new StartException(
                "The container %s (Servlet %d.%d) is not known: the proxy runs in GlassFish 7 and 8, Tomcat 11 and Jetty 12"
                        .formatted(
                                context.getServerInfo(),
                                context.getMajorVersion(),
                                context.getMinorVersion()),
                null);
    }

    /** Nothing of the class is run, nor anything that it needs loaded. */
    private static boolean isThere(String name) {
        try {
            Class.forName(name, false, KnownContainer.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }
}
