package org.jvrpc.spring.test;

import java.util.List;
import java.util.UUID;
import org.jvrpc.spring.ImportJvrpcClients;
import org.jvrpc.spring.StubDefinitions;
import org.jvrpc.spring.config.SliceAddress;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * Gives each context an address of its own, and its stubs. Two tests share a context where theirs are equal.
 *
 * @param scheme of the address
 * @param stubs of the client {@code default}
 */
record SliceCustomizer(String scheme, List<Class<?>> stubs) implements ContextCustomizer {

    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration merged) {
        String address = scheme + "://jvrpc-test-" + UUID.randomUUID();
        TestPropertyValues.of(JvrpcTest.ADDRESS + "=" + address).applyTo(context);
        context.getBeanFactory().registerSingleton("jvrpcSliceAddress", new SliceAddress(address));
        for (Class<?> stub : stubs) {
            StubDefinitions.register((BeanDefinitionRegistry) context.getBeanFactory(),
                    ImportJvrpcClients.DEFAULT_NAME, stub);
        }
    }
}
