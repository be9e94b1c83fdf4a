/**
 * Call detail records: kept in a journal before a usage is confirmed, then moved into a database.
 *
 * <p>Entry type: {@link org.lrwp.osp.cdr.CdrStore}. This package knows nothing of messages.
 */
@NullMarked
package org.lrwp.osp.cdr;

import org.jspecify.annotations.NullMarked;
