/**
 * JSON, by a library, with what all its writers here agree on.
 *
 * <p>Entry type: {@link org.lrwp.runtime.json.Json}. This package knows nothing else.
 */
@NullMarked
package org.lrwp.runtime.json;

import org.jspecify.annotations.NullMarked;
