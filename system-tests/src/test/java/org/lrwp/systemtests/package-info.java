/** Tests of the running proxy, from the outside. */
@NullMarked
package org.lrwp.systemtests;

import org.jspecify.annotations.NullMarked;
