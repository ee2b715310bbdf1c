package org.jvrpc.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Settings of one method of an {@link RpcService}. A method without it is light and has the client's deadline. */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
public @interface RpcMethod {

    /**
     * True for a method that may block or compute for more than a few microseconds: the server then runs it on its
     * executor and not on the poller, which serves everybody.
     */
    boolean heavy() default false;

    /**
     * The time after which a call fails with {@link Status#DEADLINE_EXCEEDED}, as digits and a unit of
     * {@code ns us ms s m h}, for instance {@code "250us"} or {@code "2s"}; empty takes the client's default.
     */
    String deadline() default "";

    /**
     * True for a method that may run twice for one call and does no harm: a client with a retry policy then makes a
     * call again that may have run. Each side's own business: the two need not agree.
     */
    boolean idempotent() default false;
}
