/**
 * A span for each request, by the OpenTelemetry SDK: docs/operations.md, "Traces". Only this
 * package names the SDK, and none of its classes is loaded while traces are off. Knows nothing of
 * how requests are read and answered.
 */
@NullMarked
package org.lrwp.webapp.traces;

import org.jspecify.annotations.NullMarked;
