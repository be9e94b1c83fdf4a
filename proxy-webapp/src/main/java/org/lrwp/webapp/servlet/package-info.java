/**
 * The {@code "/*"} servlet: HTTP requests of the container become exchanges of the engine, answers
 * of peers become answers of the container, and what no context serves goes to the default servlet.
 *
 * <p>Entry type: {@link org.lrwp.webapp.servlet.ProxyServlet}. Nothing here knows which container
 * it is: what the Servlet API cannot do goes through {@link org.lrwp.webapp.servlet.Container}.
 */
@NullMarked
package org.lrwp.webapp.servlet;

import org.jspecify.annotations.NullMarked;
