/** Tests of what the doctor says. */
@NullMarked
package org.lrwp.server.doctor;

import org.jspecify.annotations.NullMarked;
