/**
 * What HTTP says about sending a file: conditions, ranges, codings, names (RFC 9110, RFC 6266).
 *
 * <p>Entry type: {@code FileAnswer}. This package opens no file and knows no rate.
 */
@NullMarked
package org.lrwp.download.http;

import org.jspecify.annotations.NullMarked;
