/**
 * The same web application in a full GlassFish 8 domain, deployed with asadmin as an administrator
 * does it.
 */
@NullMarked
package org.lrwp.systemtests.domain;

import org.jspecify.annotations.NullMarked;
