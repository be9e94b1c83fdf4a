package org.lrwp.systemtests.harness;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Which server a test class runs against: the name of a properties file of the test resources. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface ServerConfig {
    /** Name without ending, in the folder {@code config}. */
    String value() default "short-limits";

    /** Whether clients may speak HTTP/2. */
    boolean http2() default false;

    /** Whether the server must be as it was before when the last test of the class has ended. */
    boolean leavesNothing() default true;
}
