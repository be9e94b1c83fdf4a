/**
 * Authorisation: may this call be made, whereto, and the tokens that say so.
 *
 * <p>Entry type: {@link org.lrwp.osp.authorisation.AuthorisationService}. Where calls go is asked
 * of a {@link org.lrwp.osp.routing.Routing}. This package knows nothing of HTTP.
 */
@NullMarked
package org.lrwp.osp.authorisation;

import org.jspecify.annotations.NullMarked;
