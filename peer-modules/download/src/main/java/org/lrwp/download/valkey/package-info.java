/** Limits that several processes keep together to the byte, by buckets in a Valkey server. */
@NullMarked
package org.lrwp.download.valkey;

import org.jspecify.annotations.NullMarked;
