/**
 * {@code ./lrwp doctor}: looks at what the proxy needs of its machine and says what to do. Opens no
 * port for longer than a moment and changes nothing.
 */
@NullMarked
package org.lrwp.server.doctor;

import org.jspecify.annotations.NullMarked;
