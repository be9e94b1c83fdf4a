/**
 * What clients of the HTTPS port are shown: certificates from files that are read again when they
 * change. Knows no container.
 */
@NullMarked
package org.lrwp.webapp.https;

import org.jspecify.annotations.NullMarked;
