/** What the author of a peer uses: a handler and the contexts it serves. */
module org.lrwp.sdk {
    requires static transitive org.jspecify;
    requires transitive org.lrwp.protocol;
    requires jdk.net;
    requires static jdk.httpserver;

    exports org.lrwp.sdk;
    exports org.lrwp.sdk.httpserver;
    exports org.lrwp.sdk.spi;
    exports org.lrwp.sdk.tls;
}
