/**
 * What the edge and the servlet share: one request of a client with its body, its answer, its
 * errors and its end. Everything here sees the client through {@link
 * org.lrwp.webapp.client.ClientStream}.
 */
@NullMarked
package org.lrwp.webapp.client;

import org.jspecify.annotations.NullMarked;
