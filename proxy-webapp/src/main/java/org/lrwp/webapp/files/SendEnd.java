package org.lrwp.webapp.files;

/** How the sending of a part of a file has ended. */
public enum SendEnd {
    /** The system has taken all of it. */
    WHOLE,
    /** The file's owner gives it up, and breaks the answer off. */
    GIVEN_UP,
    /** The client cannot be written to any more, or the senders have ended. */
    GONE
}
