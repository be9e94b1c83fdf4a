/** Jetty servers that dial in. */
module org.lrwp.jetty {
    requires static org.jspecify;
    requires transitive org.eclipse.jetty.server;
    requires transitive org.lrwp.sdk;

    exports org.lrwp.jetty;
}
