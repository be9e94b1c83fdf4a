/** Tests of tokens and identities. */
@NullMarked
package org.lrwp.osp.token;

import org.jspecify.annotations.NullMarked;
