/**
 * The configuration of the OSP peer: the table of its keys, and what its parts make of the values.
 *
 * <p>Entry types: {@link org.lrwp.osp.configuration.OspKeys} and {@link
 * org.lrwp.osp.configuration.OspConfiguration}.
 */
@NullMarked
package org.lrwp.osp.configuration;

import org.jspecify.annotations.NullMarked;
