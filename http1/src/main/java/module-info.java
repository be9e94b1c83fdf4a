/**
 * Reads requests of HTTP/1.1 and 1.0 from bytes, without I/O, without threads and without a clock.
 */
module org.lrwp.http.reader {
    requires static transitive org.jspecify;

    exports org.lrwp.http1;
}
