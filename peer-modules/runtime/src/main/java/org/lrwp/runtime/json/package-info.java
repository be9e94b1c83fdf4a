/**
 * The little JSON that modules write.
 *
 * <p>Entry type: {@link org.lrwp.runtime.json.JsonString}. This package knows nothing else.
 */
@NullMarked
package org.lrwp.runtime.json;

import org.jspecify.annotations.NullMarked;
