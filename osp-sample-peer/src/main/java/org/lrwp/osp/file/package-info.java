/**
 * Files that only the owner of the process may touch.
 *
 * <p>Entry type: {@link org.lrwp.osp.file.PrivateFiles}. This package knows nothing of what is in
 * them.
 */
@NullMarked
package org.lrwp.osp.file;

import org.jspecify.annotations.NullMarked;
