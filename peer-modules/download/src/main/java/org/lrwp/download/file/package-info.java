/**
 * Files of one folder: found without a way out, opened and read on own threads, small ones kept.
 *
 * <p>Entry type: {@code FileStore}. This package knows nothing of HTTP and rates.
 */
@NullMarked
package org.lrwp.download.file;

import org.jspecify.annotations.NullMarked;
