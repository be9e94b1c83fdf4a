/**
 * The same web application in containers that give it the Servlet API alone, each in a process of
 * its own. The programs {@code TomcatServer} and {@code JettyServer} run there, the rest here.
 */
@NullMarked
package org.lrwp.systemtests.containers;

import org.jspecify.annotations.NullMarked;
