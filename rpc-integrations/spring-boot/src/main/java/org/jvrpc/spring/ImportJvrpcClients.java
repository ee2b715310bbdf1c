package org.jvrpc.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * Makes beans of the stubs of some services, called by one client: the synchronous stub, and that of the asynchronous
 * twin. Address, deadline and all else of the client say the properties {@code jvrpc.clients.NAME.*}. A client connects
 * at its first call, or, with {@code jvrpc.clients.NAME.connect=eager}, when the context has started.
 */
@Documented
@Import(StubRegistrar.class)
@Repeatable(ImportJvrpcClients.All.class)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface ImportJvrpcClients {

    /** The name of a client that is given none. */
    String DEFAULT_NAME = "default";

    /** The client's name: letters, digits and {@code -}, small ones, as properties have them. */
    String value() default DEFAULT_NAME;

    /** The interfaces, annotated with {@link org.jvrpc.api.RpcService}. */
    Class<?>[] types() default {};

    /**
     * Packages in which, and below which, all interfaces with generated code are meant. Without these and
     * {@link #types}: the package of the annotated class.
     */
    String[] basePackages() default {};

    /** Several of them. */
    @Documented
    @Import(StubRegistrar.class)
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    @interface All {
        /** The clients. */
        ImportJvrpcClients[] value();
    }
}
