package org.jvrpc.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.boot.test.context.filter.annotation.TypeExcludeFilters;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.core.annotation.AliasFor;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * Starts the services of an application, and stubs that call them, and nothing else of it: components are
 * {@link org.jvrpc.spring.JvrpcService}s, interceptors, customizers and what guards servers; what they need beside that
 * the test brings, by mocks for instance. All services are served at one address that no other process or context
 * has, and all clients call there, whatever the properties say of addresses.
 *
 * <pre>{@code
 * @JvrpcTest(stubs = Orders.class)
 * class OrdersTest {
 *     @JvrpcClient Orders orders;      // a stub: calls travel as they would between processes
 *     @MockitoBean Warehouse warehouse;
 * }
 * }</pre>
 */
@BootstrapWith(JvrpcTestContextBootstrapper.class)
@Documented
@ExtendWith(SpringExtension.class)
@ImportAutoConfiguration
@Inherited
@OverrideAutoConfiguration(enabled = false)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@TypeExcludeFilters(JvrpcTypeExcludeFilter.class)
public @interface JvrpcTest {

    /** What calls travel by. */
    enum Transport {
        /** Within the process, without a device: {@code inproc://}. */
        INPROC,
        /** Shared memory, as between processes of one host: {@code shm://}. */
        SHM
    }

    /** The classes of services that are started; by default all components that are. */
    @AliasFor("services")
    Class<?>[] value() default {};

    /** As {@link #value}. */
    @AliasFor("value")
    Class<?>[] services() default {};

    /**
     * Interfaces of which there are stubs, of the client {@code default}, beside those that the application imports:
     * {@code @JvrpcClient} has them injected.
     */
    Class<?>[] stubs() default {};

    /** What calls travel by. */
    Transport transport() default Transport.INPROC;

    /** Properties of the context, as {@code name=value}. */
    String[] properties() default {};

    /** Whether components of other kinds are left out. */
    boolean useDefaultFilters() default true;

    /** Components that are added. */
    Filter[] includeFilters() default {};

    /** Components that are left out. */
    Filter[] excludeFilters() default {};

    /** Auto-configurations that are left out. */
    @AliasFor(annotation = ImportAutoConfiguration.class, attribute = "exclude")
    Class<?>[] excludeAutoConfiguration() default {};

    /** The name of the property with the address of the context, for those who make clients of their own. */
    String ADDRESS = "jvrpc-test.address";
}
