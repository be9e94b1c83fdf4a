/**
 * Has the kernel send parts of files to clients' sockets, on threads that may wait for a disk.
 * Entry: {@link org.lrwp.webapp.files.FileSenders}. It knows channels alone: neither the container
 * nor the servlet nor what is being answered.
 */
@NullMarked
package org.lrwp.webapp.files;

import org.jspecify.annotations.NullMarked;
