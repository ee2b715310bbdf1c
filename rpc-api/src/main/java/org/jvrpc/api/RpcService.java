package org.jvrpc.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks an interface whose abstract methods are callable from another process. The annotation processor writes, beside
 * it, a stub, an asynchronous twin ({@code OrdersAsync}) with its stub, a skeleton and a service descriptor.
 *
 * <p>Default and static methods stay local. Inherited interfaces take part, with their type arguments applied.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface RpcService {

    /** The name on the wire; the default is the qualified name of the interface. */
    String name() default "";

    /**
     * Further classes that may travel inside object graphs: the implementations behind an interface, the subclasses
     * behind a class. Those that the signatures name, and what their fields name, are found without it.
     */
    Class<?>[] objects() default {};
}
