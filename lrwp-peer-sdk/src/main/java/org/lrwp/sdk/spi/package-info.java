/**
 * For whoever brings requests to handlers in another way than a connection to a proxy: a proxy that
 * has modules inside it, a test. Entry type: {@code AbstractExchange}. Programs that answer
 * requests need nothing of it.
 */
@NullMarked
package org.lrwp.sdk.spi;

import org.jspecify.annotations.NullMarked;
