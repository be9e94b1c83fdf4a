/**
 * Figures of requests, peers and the process for Prometheus: docs/operations.md, "Metrics". What is
 * counted for each request is counted here; the rest is read when somebody asks. Knows nothing of
 * pages and who may see them.
 */
@NullMarked
package org.lrwp.webapp.metrics;

import org.jspecify.annotations.NullMarked;
