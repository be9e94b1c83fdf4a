/**
 * What is written down of who came in, who was refused and who changed something: {@code
 * AuditTrail} takes an {@code AuditEvent} from whoever decides. This package knows no other.
 */
@NullMarked
package org.lrwp.engine.audit;

import org.jspecify.annotations.NullMarked;
