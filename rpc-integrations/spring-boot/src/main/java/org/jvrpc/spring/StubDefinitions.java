package org.jvrpc.spring;

import org.jvrpc.api.stub.ServiceDescriptor;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;

/** Defines the beans of stubs. */
public final class StubDefinitions {

    /** The name of the bean of type {@link JvrpcClients}. */
    public static final String CLIENTS = "jvrpcClients";

    private StubDefinitions() {
    }

    /** Defines the two stubs of a service, where they are not defined yet. */
    public static void register(BeanDefinitionRegistry registry, String client, Class<?> service) {
        if (!Generated.isThere(service)) {
            throw new JvrpcConfigurationException("client " + client + " is to have a stub of " + service.getName()
                    + ", of which there is no generated code", "Annotate the interface with @RpcService, and have the"
                    + " compiler run jvrpc-codegen (annotationProcessorPaths).", null);
        }
        define(registry, client, service, service, false);
        define(registry, client, service, ServiceDescriptor.of(service).asyncInterface(), true);
    }

    private static void define(
            BeanDefinitionRegistry registry, String client, Class<?> service, Class<?> type, boolean async) {
        String name = "jvrpc." + client + "." + type.getName();
        if (registry.containsBeanDefinition(name)) {
            return;
        }
        RootBeanDefinition definition = new RootBeanDefinition(StubFactoryBean.class);
        definition.getConstructorArgumentValues()
                .addIndexedArgumentValue(0, new RuntimeBeanReference(CLIENTS));
        definition.getConstructorArgumentValues().addIndexedArgumentValue(1, client);
        definition.getConstructorArgumentValues().addIndexedArgumentValue(2, service);
        definition.getConstructorArgumentValues().addIndexedArgumentValue(3, async);
        definition.setAttribute(FactoryBean.OBJECT_TYPE_ATTRIBUTE, type);
        definition.addQualifier(new AutowireCandidateQualifier(JvrpcClient.class, client));
        registry.registerBeanDefinition(name, definition);
    }
}
