/**
 * What is done with GlassFish's own classes: the one package that knows Grizzly and Catalina.
 *
 * <p>Entry type: {@link org.lrwp.webapp.glassfish.GrizzlyContainer}.
 */
@NullMarked
package org.lrwp.webapp.glassfish;

import org.jspecify.annotations.NullMarked;
