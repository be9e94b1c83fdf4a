/** Tests of the rates, with a clock that they turn themselves. */
@NullMarked
package org.lrwp.download.rate;

import org.jspecify.annotations.NullMarked;
