/** Tests of several packages share this. */
@NullMarked
package org.lrwp.runtime.testkit;

import org.jspecify.annotations.NullMarked;
