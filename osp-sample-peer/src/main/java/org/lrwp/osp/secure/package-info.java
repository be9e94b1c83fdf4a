/**
 * The signed form of messages: multipart/signed with a PKCS #7 signature beside the message.
 *
 * <p>Entry type: {@link org.lrwp.osp.secure.SignedMessages}. This package knows nothing of what a
 * message says.
 */
@NullMarked
package org.lrwp.osp.secure;

import org.jspecify.annotations.NullMarked;
