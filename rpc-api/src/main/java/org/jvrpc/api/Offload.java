package org.jvrpc.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method whose answers a server may publish, for clients to find them by a program that the server's CPU takes
 * no part in. The method only reads, returns something, and answers the same arguments the same until the server
 * publishes another answer; it is neither one-way, heavy nor asynchronous and has no {@link Into} parameter.
 *
 * <p>Where the server publishes nothing, or not for the arguments of a call, the call is as any other. A call that is
 * answered by program meets neither the handler nor the server's interceptors.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
public @interface Offload {
}
