package org.jvrpc.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test class that has a server: as {@link JvrpcExtension} with less to write. Parameters of tests, and fields with
 * {@link JvrpcStub}, are stubs and what else there is.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(WithJvrpcExtension.class)
public @interface WithJvrpc {

    /** Implementations, each with a constructor without parameters; all services that they implement are served. */
    Class<?>[] serving() default {};

    /** Services that have no implementation, but scripts. */
    Class<?>[] scripting() default {};

    /** How the server is reached. */
    Reach over() default Reach.IN_PROCESS;

    /** True for one server for all tests of the class, false for one each. */
    boolean perClass() default false;

    /** By what faults choose calls; 0 for another each time. The property {@code jvrpc.testkit.seed} goes before it. */
    long seed() default 0;
}
