/**
 * What the modules are measured against: servlets as the seed's articles describe them, faults
 * included.
 */
@NullMarked
package org.lrwp.bench.servlets;

import org.jspecify.annotations.NullMarked;
