/** Files that belong to one user, and log files that rotate, without any dependency. */
module org.lrwp.files {
    requires static transitive org.jspecify;

    exports org.lrwp.files;
}
