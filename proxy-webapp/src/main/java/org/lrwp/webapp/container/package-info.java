/**
 * GlassFish: its listeners and selector threads for peers, its requests for the servlet, and when
 * its clients may be read. It knows Grizzly and Catalina, and not who reads the clients.
 *
 * <p>Entry types: {@link org.lrwp.webapp.container.GrizzlyContainer}, {@link
 * org.lrwp.webapp.container.PeerTransports}; {@link org.lrwp.webapp.container.OwnListener} in a
 * server of its own.
 */
@NullMarked
package org.lrwp.webapp.container;

import org.jspecify.annotations.NullMarked;
