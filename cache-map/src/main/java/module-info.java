/** A cache in one mapped file, without any dependency. */
module org.lrwp.cachemap {
    requires static transitive org.jspecify;

    exports org.lrwp.cachemap;
}
