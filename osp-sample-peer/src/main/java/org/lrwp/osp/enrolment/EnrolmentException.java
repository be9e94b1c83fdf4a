package org.lrwp.osp.enrolment;

/** An enrolment is refused. The message says why, for the log. */
final class EnrolmentException extends Exception {
    private static final long serialVersionUID = 1L;

    EnrolmentException(String message) {
        super(message);
    }
}
