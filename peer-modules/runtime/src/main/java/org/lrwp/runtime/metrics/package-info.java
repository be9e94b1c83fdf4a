/** Figures as Prometheus reads them: one way for the proxy, its modules and every program. */
@NullMarked
package org.lrwp.runtime.metrics;

import org.jspecify.annotations.NullMarked;
