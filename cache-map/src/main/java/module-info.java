/** A cache in one mapped file, with the user's own files only. */
module org.lrwp.cachemap {
    requires static transitive org.jspecify;
    requires org.lrwp.files;

    exports org.lrwp.cachemap;
}
