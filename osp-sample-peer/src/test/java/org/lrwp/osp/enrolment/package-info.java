/** Tests of enrolment. */
@NullMarked
package org.lrwp.osp.enrolment;

import org.jspecify.annotations.NullMarked;
