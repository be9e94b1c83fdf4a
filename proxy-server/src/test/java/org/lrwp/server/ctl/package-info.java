/** Tests of the command ctl. */
@NullMarked
package org.lrwp.server.ctl;

import org.jspecify.annotations.NullMarked;
