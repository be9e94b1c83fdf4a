/**
 * Parts of the OSP server without proxy and HTTP, and what their processor time is. Entry type:
 * {@link org.lrwp.bench.osp.OspBench}.
 */
@NullMarked
package org.lrwp.bench.osp;

import org.jspecify.annotations.NullMarked;
