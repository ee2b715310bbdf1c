package org.jvrpc.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A field of a test that {@link JvrpcExtension} sets before each test: of a service that is served, or its asynchronous
 * twin; a client, a server, the faults, a {@code Script} of a service, or the extension itself. Neither static nor
 * final.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface JvrpcStub {
}
