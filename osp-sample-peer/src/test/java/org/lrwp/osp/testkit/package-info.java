/** What the tests of the OSP server share: a server with a fixed clock, requests, tokens. */
@NullMarked
package org.lrwp.osp.testkit;

import org.jspecify.annotations.NullMarked;
