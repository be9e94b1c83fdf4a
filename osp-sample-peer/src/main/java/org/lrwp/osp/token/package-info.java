/**
 * Signed tokens and the key they are signed with.
 *
 * <p>Entry types: {@link org.lrwp.osp.token.TokenIssuer} and {@link
 * org.lrwp.osp.token.SigningIdentity}. This package knows nothing of components and routes.
 */
@NullMarked
package org.lrwp.osp.token;

import org.jspecify.annotations.NullMarked;
