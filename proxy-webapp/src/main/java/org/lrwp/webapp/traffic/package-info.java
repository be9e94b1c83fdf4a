/**
 * Traffic rules of contexts: what one client may ask, and how heads are changed. Knows nothing of
 * who has read a request and who sends its answer.
 */
@NullMarked
package org.lrwp.webapp.traffic;

import org.jspecify.annotations.NullMarked;
