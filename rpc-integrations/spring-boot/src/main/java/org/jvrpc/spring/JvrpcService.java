package org.jvrpc.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;
import org.springframework.stereotype.Component;

/**
 * Marks a bean whose services are served: a class, which is then a component, or a method that makes a bean. Where it
 * is served, and how, say the properties {@code jvrpc.server.*}. Light methods run on a poller's thread and must not
 * block, see {@link org.jvrpc.runtime.RpcServer}.
 */
@Documented
@Component
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface JvrpcService {

    /** The interfaces that are served; by default all of the bean's that have generated code. */
    Class<?>[] value() default {};

    /** The names of the listeners at which it is served; by default all. See {@code jvrpc.server.listeners.NAME}. */
    String[] listeners() default {};

    /** The name of the component; by default Spring's choice. */
    @AliasFor(annotation = Component.class, attribute = "value")
    String name() default "";
}
