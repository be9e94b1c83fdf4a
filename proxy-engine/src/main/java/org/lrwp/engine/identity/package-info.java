/**
 * Who peers are and what each may register: identities, their scopes and what they prove.
 *
 * <p>Entry type: {@link org.lrwp.engine.identity.AccessPolicy}. Knows neither files nor
 * connections.
 */
@NullMarked
package org.lrwp.engine.identity;

import org.jspecify.annotations.NullMarked;
