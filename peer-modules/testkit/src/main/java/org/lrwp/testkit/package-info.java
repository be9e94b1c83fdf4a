/**
 * What the tests of peer modules share: requests and clients that a test plays, configurations, and
 * rules that hold for every module.
 *
 * <p>Entry types: {@link org.lrwp.testkit.Head} and {@link org.lrwp.testkit.RecordedExchange}. This
 * package knows no module, and nothing but tests may know it.
 */
@NullMarked
package org.lrwp.testkit;

import org.jspecify.annotations.NullMarked;
