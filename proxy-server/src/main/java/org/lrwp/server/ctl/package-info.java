/**
 * The command {@code lrwp ctl}: speaks the runtime API of a running proxy.
 *
 * <p>Entry type: {@link org.lrwp.server.ctl.Ctl}. This package knows nothing of the server.
 */
@NullMarked
package org.lrwp.server.ctl;

import org.jspecify.annotations.NullMarked;
