package org.lrwp.webapp.config;

/** How a line of a log looks. */
public enum LogForm {
    /** Words with values. */
    TEXT,
    /** A JSON object. */
    JSON,
    /** The combined log format, as many programs read it. */
    COMBINED,
    /** A form of one's own. */
    OWN
}
