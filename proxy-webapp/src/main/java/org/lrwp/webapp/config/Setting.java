package org.lrwp.webapp.config;

/**
 * A value that somebody has set.
 *
 * @param value its text
 * @param origin where it stands, for faults
 */
record Setting(String value, String origin) {}
