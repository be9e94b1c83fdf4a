/**
 * OSP messages (ETSI TS 101 321) as trees of elements: reading them safely, writing them, the
 * status codes and the names of components.
 *
 * <p>Entry types: {@link org.lrwp.osp.message.MessageReader} and {@link
 * org.lrwp.osp.message.ElementWriter}. This package knows nothing of what a component means.
 */
@NullMarked
package org.lrwp.osp.message;

import org.jspecify.annotations.NullMarked;
