/**
 * The LRWP listener: lets peers in and hands their connections to the contexts.
 *
 * <p>Entry type: {@link org.lrwp.engine.agent.LrwpAgent}.
 */
@NullMarked
package org.lrwp.engine.agent;

import org.jspecify.annotations.NullMarked;
