/**
 * The HTTP server of the JDK that dials in: {@code com.sun.net.httpserver.HttpServer} without a
 * port. Entry type: {@code PeerHttpServer}. Needs the module {@code jdk.httpserver}.
 */
@NullMarked
package org.lrwp.sdk.httpserver;

import org.jspecify.annotations.NullMarked;
