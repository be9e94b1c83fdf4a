package org.lrwp.webapp;

import org.lrwp.engine.ProxyEngine;
import org.lrwp.engine.audit.AuditTrail;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * What modules need of the proxy.
 *
 * @param engine gives them requests
 * @param audit told what is changed of their values
 * @param reserve has their contexts kept for them, as the configuration says now
 * @param drainTime how long one that is removed has for its last requests
 */
record ModuleSurroundings(
        ProxyEngine engine, AuditTrail audit, Runnable reserve, Supplier<Duration> drainTime) {}
