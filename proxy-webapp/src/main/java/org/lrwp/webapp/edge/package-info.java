/** Requests that are read and answered before the servlet container sees them. */
@NullMarked
package org.lrwp.webapp.edge;

import org.jspecify.annotations.NullMarked;
