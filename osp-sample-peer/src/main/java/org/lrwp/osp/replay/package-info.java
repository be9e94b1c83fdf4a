/**
 * What may happen once only, remembered over restarts.
 *
 * <p>Entry types: {@link org.lrwp.osp.replay.TakenOnce} and {@link org.lrwp.osp.replay.TakenFiles}.
 * This package knows nothing of tokens and messages.
 */
@NullMarked
package org.lrwp.osp.replay;

import org.jspecify.annotations.NullMarked;
