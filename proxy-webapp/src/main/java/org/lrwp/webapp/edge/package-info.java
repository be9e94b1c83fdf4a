/**
 * Clients' connections that are read before the container reads them: requests for peers are
 * answered here, all others are given to the container and the connection comes back.
 *
 * <p>Entry types: {@link org.lrwp.webapp.edge.Edge}, {@link org.lrwp.webapp.edge.EdgeRouter}.
 */
@NullMarked
package org.lrwp.webapp.edge;

import org.jspecify.annotations.NullMarked;
