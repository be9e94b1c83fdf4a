package org.lrwp.webapp.operations;

/**
 * How the proxy's own logs do.
 *
 * @param accessDropped lines of the access log that were dropped since the start
 * @param auditDropped lines of the audit log
 */
public record LogStatus(long accessDropped, long auditDropped) {}
