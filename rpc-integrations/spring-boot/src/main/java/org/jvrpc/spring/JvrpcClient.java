package org.jvrpc.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;

/**
 * Asks for a stub of a certain client to be injected, into a field or a parameter, where several clients have stubs of
 * one interface, or the service itself is a bean, too. Where there is no doubt the plain type is enough.
 */
@Autowired
@Documented
@Qualifier
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.PARAMETER})
public @interface JvrpcClient {

    /** The client's name, as in {@code jvrpc.clients.NAME}. */
    String value() default ImportJvrpcClients.DEFAULT_NAME;
}
