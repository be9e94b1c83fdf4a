/**
 * Enrolment: a new gateway gets its certificate from this server's authority.
 *
 * <p>Entry type: {@link org.lrwp.osp.enrolment.EnrolmentHandler}. This package knows nothing of OSP
 * messages.
 */
@NullMarked
package org.lrwp.osp.enrolment;

import org.jspecify.annotations.NullMarked;
