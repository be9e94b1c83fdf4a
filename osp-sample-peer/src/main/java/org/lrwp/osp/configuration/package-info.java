/**
 * The configuration of the OSP peer: one file of keys and values, read and checked as a whole.
 *
 * <p>Entry type: {@link org.lrwp.osp.configuration.OspConfiguration}.
 */
@NullMarked
package org.lrwp.osp.configuration;

import org.jspecify.annotations.NullMarked;
