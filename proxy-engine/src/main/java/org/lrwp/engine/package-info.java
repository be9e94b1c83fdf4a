/**
 * The engine behind a front: give it a request that a registered context serves, and it answers it
 * with a peer or with one clear error.
 *
 * <p>Entry type: {@link org.lrwp.engine.ProxyEngine}. Nothing here knows the servlet API.
 */
@NullMarked
package org.lrwp.engine;

import org.jspecify.annotations.NullMarked;
