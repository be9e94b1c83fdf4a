/**
 * The last requests of contexts that are inspected, with heads and the beginning of bodies, and how
 * one is sent again. Secrets are masked before anything is kept. Knows the engine and the
 * configuration, not who has read a request.
 */
@NullMarked
package org.lrwp.webapp.inspector;

import org.jspecify.annotations.NullMarked;
