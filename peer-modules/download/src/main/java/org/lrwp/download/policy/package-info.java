/**
 * Who gets what: the keys of the module, classes of downloads, clients, and who is turned away.
 *
 * <p>Entry types: {@code DownloadKeys} and {@code DownloadPolicy}. This package knows no file and
 * sends nothing.
 */
@NullMarked
package org.lrwp.download.policy;

import org.jspecify.annotations.NullMarked;
