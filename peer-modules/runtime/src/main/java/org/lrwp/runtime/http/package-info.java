/**
 * What HTTP says the same way in every answer and request: dates.
 *
 * <p>Entry type: {@code HttpDate}. This package knows no module, no proxy and no files.
 */
@NullMarked
package org.lrwp.runtime.http;

import org.jspecify.annotations.NullMarked;
