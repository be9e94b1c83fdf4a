/** A module that is put into the proxy's web application, and the tests of what it may do there. */
@NullMarked
package org.lrwp.systemtests.local;

import org.jspecify.annotations.NullMarked;
