/** The LRWP wire format: handshake, frames and CGI heads, without I/O and without threads. */
module org.lrwp.protocol {
    requires static transitive org.jspecify;

    exports org.lrwp.protocol;
    exports org.lrwp.protocol.frame;
    exports org.lrwp.protocol.network;
}
