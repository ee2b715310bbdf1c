package org.jvrpc.spring.orders;

import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.spring.client.JvrpcClientAutoConfiguration;
import org.jvrpc.spring.health.JvrpcHealthAutoConfiguration;
import org.jvrpc.spring.server.JvrpcServerAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Contexts as applications have them. */
public final class Contexts {

    private static final AtomicInteger NAMES = new AtomicInteger();

    private Contexts() {
    }

    /** Returns an address within the process at which nobody listens. */
    public static String freshAddress() {
        return "inproc://spring-" + NAMES.incrementAndGet();
    }

    /** Begins a context with everything that the starter configures, and these classes. */
    public static ApplicationContextRunner of(Class<?>... configurations) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(JvrpcServerAutoConfiguration.class,
                        JvrpcClientAutoConfiguration.class, JvrpcHealthAutoConfiguration.class))
                .withUserConfiguration(configurations);
    }
}
