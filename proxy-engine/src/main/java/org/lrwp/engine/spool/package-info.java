/**
 * Bodies on their way: in memory up to a limit, then in a temporary file.
 *
 * <p>Entry type: {@link org.lrwp.engine.spool.SpoolStore}. This package knows neither HTTP nor
 * LRWP.
 */
@NullMarked
package org.lrwp.engine.spool;

import org.jspecify.annotations.NullMarked;
