/**
 * A connector by which a Jetty 12 server dials in to a proxy instead of opening a port.
 *
 * <p>Entry type: {@code LrwpConnector}. Requests go from the peer to Jetty's channel as they are;
 * there is no HTTP in between.
 */
@NullMarked
package org.lrwp.jetty;

import org.jspecify.annotations.NullMarked;
