/** Tests of the server program. */
@NullMarked
package org.lrwp.server;

import org.jspecify.annotations.NullMarked;
